import { ROLES, ROLE_NAMES, isRole } from '../../../auth/role/role.js';
import { suggest } from '../../../platform/field/error/closest.js';
import { CommandError } from './print.js';

/** The permissions that the options of `key create` name, without `--all`: those of a role, and others. */
export function namedPermissions({ role, permission }: { role?: string; permission: string[] }): string[] {
  if (role === undefined && permission.length === 0)
    throw new CommandError('give at least one --permission, a --role, or --all');
  if (role !== undefined && !isRole(role))
    throw new CommandError(`there is no role ${role}${suggest(role, ROLE_NAMES)}`);
  return [...new Set([...(role === undefined ? [] : ROLES[role]), ...permission])];
}
