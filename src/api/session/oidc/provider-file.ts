import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { PERMISSIONS } from '../../../auth/permission.js';
import type { Permission } from '../../../auth/permission.js';
import { ROLES, ROLE_NAMES, isRole } from '../../../auth/role/role.js';
import { ConfigError, isLoopback, settingOf } from '../../../platform/config/config.js';
import { unknownField } from '../../../platform/field/error/closest.js';
import { isObject } from '../../../platform/field/is-object.js';
import type { GroupRights, Provider } from './provider.js';

// Import this file only when there is a file to read.

const SETTING = 'OIDC_FILE';

/** Reads the providers. A mistake stops the start, and names its field. */
export function readProviders(file: string): Provider[] {
  const content = readFile(file, SETTING);
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 100 });
  } catch (error) {
    throw wrong('', `is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const fields = object(value, '', ['providers']);
  const providers = list(fields.providers, 'providers').map((each, i) => provider(each, `providers[${i}]`, file));
  const twice = providers.findIndex(({ slug }, i) => providers.some((other, j) => j < i && other.slug === slug));
  if (twice >= 0) throw wrong(`providers[${twice}].slug`, 'must not occur twice');
  return providers;
}

const FIELDS = ['slug', 'name', 'issuer', 'client_id', 'client_secret', 'scope', 'groups_claim', 'groups'];
const GROUP_FIELDS = ['group', 'permissions', 'organization', 'project', 'application'];

function provider(value: unknown, at: string, file: string): Provider {
  const fields = object(value, at, FIELDS);
  const slug = text(fields.slug, `${at}.slug`);
  if (!/^[a-z0-9][a-z0-9-]{0,49}$/.test(slug))
    throw wrong(`${at}.slug`, 'must be 1 to 50 small letters, digits and hyphens');
  return {
    slug,
    name: text(fields.name, `${at}.name`),
    issuer: issuer(text(fields.issuer, `${at}.issuer`), `${at}.issuer`),
    clientId: text(fields.client_id, `${at}.client_id`),
    clientSecret: secret(fields.client_secret, `${at}.client_secret`, file),
    scope: text(fields.scope ?? 'openid email profile', `${at}.scope`),
    groupsClaim: text(fields.groups_claim ?? 'groups', `${at}.groups_claim`),
    groups: list(fields.groups, `${at}.groups`).map((each, i) => group(each, `${at}.groups[${i}]`)),
  };
}

function group(value: unknown, at: string): GroupRights {
  const fields = object(value, at, GROUP_FIELDS);
  const slug = (name: string) => (fields[name] === undefined ? null : text(fields[name], `${at}.${name}`));
  const [organization, project, application] = [slug('organization'), slug('project'), slug('application')];
  if (project !== null && organization === null) throw wrong(`${at}.project`, 'requires organization');
  if (application !== null && project === null) throw wrong(`${at}.application`, 'requires project');
  const permissions = permissionsOf(fields.permissions, `${at}.permissions`);
  return { group: text(fields.group, `${at}.group`), permissions, organization, project, application };
}

function permissionsOf(value: unknown, at: string): readonly Permission[] {
  if (value === 'all') return PERMISSIONS;
  if (isRole(value)) return ROLES[value];
  const rule = `must be all, a role (${ROLE_NAMES.join(', ')}), or a list of ${PERMISSIONS.join(', ')}`;
  if (!Array.isArray(value) || value.length === 0) throw wrong(at, rule);
  const unknown = value.findIndex((each) => !PERMISSIONS.includes(each as Permission));
  if (unknown >= 0) throw wrong(`${at}[${unknown}]`, rule);
  return [...new Set(value as Permission[])];
}

/** The sign-in code of an operator travels to it, so it must be encrypted on its way. */
function issuer(value: string, at: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return value;
  throw wrong(at, 'must be a URL that starts with https://, or with http:// for this machine');
}

/** As in configuration files: a text, `{ env: NAME }` or `{ file: PATH }`. A path starts at the folder of the file. */
function secret(value: unknown, at: string, file: string): string | null {
  if (value === undefined || typeof value === 'string') return value === undefined ? null : text(value, at);
  const { env, file: path } = object(value, at, ['env', 'file']);
  if (typeof env === 'string' && path === undefined) {
    const found = settingOf(env);
    if (found === null) throw wrong(`${at}.env`, `names ${env}, which is not set`);
    return found;
  }
  if (typeof path === 'string' && env === undefined)
    return text(readFile(resolve(dirname(file), path), `${at}.file`).trim(), `${at}.file`);
  throw wrong(at, 'must be a text, { env: NAME } or { file: PATH }');
}

function object(value: unknown, at: string, known: string[]): Record<string, unknown> {
  if (!isObject(value)) throw wrong(at, `must have the fields ${known.join(', ')}`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(at ? `${at}.${unknown}` : unknown, unknownField(unknown, known).sentence);
  return value;
}

function list(value: unknown, at: string): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw wrong(at, 'must be a list of at least one');
}

function text(value: unknown, at: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw wrong(at, value === undefined ? 'is required' : 'must be a text');
}

function readFile(path: string, at: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${at}: cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}

const wrong = (at: string, problem: string) => new ConfigError(`${SETTING}: ${at ? `${at} ` : ''}${problem}`);
