import { ROLES } from '../../auth/role/role.js';
import type { Role } from '../../auth/role/role.js';

/** What a member may do, and where. */
export interface MemberRights {
  role: string;
  /** Null: the whole organization. */
  projectId: number | null;
}

export const permissionsOf = ({ role }: Pick<MemberRights, 'role'>): readonly string[] => ROLES[role as Role] ?? [];

/** The permissions of a member that somebody with other permissions lacks. Such a member they neither add nor change. */
export const missingFor = (held: readonly string[], member: Pick<MemberRights, 'role'>): string[] =>
  permissionsOf(member).filter((permission) => !held.includes(permission));

/** Whether the member may do everything everywhere in the organization: of these at least one stays. */
export const isAdministrator = ({ role, projectId }: MemberRights): boolean =>
  role === 'administrator' && projectId === null;

/** What the audit log calls the sessions of a member. */
export const nameOfMember = ({ name, email }: { name: string | null; email: string }): string =>
  name === null ? email : `${name} <${email}>`;
