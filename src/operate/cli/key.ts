import { LIST_API_KEYS } from '../../api/api-key/api-key.sql.js';
import { MAX_RATE_LIMIT, createApiKey, revokeApiKey } from '../../auth/api-key-rows.js';
import { PERMISSIONS } from '../../auth/permission.js';
import type { Permission } from '../../auth/permission.js';
import { cellOfId } from '../../cell/directory/id-range.js';
import { readConfig } from '../../platform/config/config.js';
import { suggest } from '../../platform/field/error/closest.js';
import { futureProblem } from '../../platform/field/date-time.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { commandLine } from '../../platform/database/actor.js';
import { withConnection } from './connection.js';
import type { Connection } from './connection.js';
import { namedPermissions } from './print/named-permissions.js';
import { keyState, keyTable } from './print/key-table.js';
import { CommandError, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';
import type { RemoteOptions } from './remote/options.js';

export interface CreateOptions extends RemoteOptions {
  org?: string;
  project?: string;
  application?: string;
  operator?: boolean;
  name: string;
  permission: string[];
  role?: string;
  all?: boolean;
  expires?: string;
  rateLimit?: string;
  json?: boolean;
}

export interface ListOptions extends PrintOptions, RemoteOptions {
  org?: string;
}

export interface RevokeOptions extends PrintOptions, RemoteOptions {
  /** Only over HTTP. */
  org?: string;
}

export async function create(options: CreateOptions): Promise<void> {
  const permissions = readPermissions(options);
  const expiresAt = readExpiry(options.expires);
  const rateLimit = readRateLimit(options.rateLimit);
  const name = options.name.trim();
  if (!name) throw new CommandError('--name must not be blank');
  checkReach(options);
  const { id, text } = await withConnection(async (connection) => {
    const branch = options.operator ? {} : await findBranch(connection, options);
    const key = { name, permissions, expiresAt, rateLimit, ...branch };
    return connection.change(commandLine('key create'), (tx) => createApiKey(tx, key));
  });
  await print(options, { id, name, key: text }, text);
}

function readPermissions(options: CreateOptions): readonly Permission[] {
  const unknown = options.permission.find((name) => !(PERMISSIONS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new CommandError(`there is no permission ${unknown}${suggest(unknown, PERMISSIONS)}`);
  return options.all ? PERMISSIONS : (namedPermissions(options) as Permission[]);
}

function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const problem = futureProblem(text);
  if (problem) throw new CommandError(`--expires ${problem.sentence}, not "${text}"`);
  return new Date(text);
}

function readRateLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = positiveInt(text);
  if (limit === null || limit > MAX_RATE_LIMIT)
    throw new CommandError(
      `--rate-limit must be a whole number of requests a second, 1 to ${MAX_RATE_LIMIT}, not "${text}"`,
    );
  return limit;
}

interface Branch {
  organizationId: number;
  projectId: number | null;
  applicationId: number | null;
}

type KeyOwner = Pick<CreateOptions, 'org' | 'project' | 'application'>;

const FIND_BRANCH = `
  select o.id "organizationId", p.id "projectId", a.id "applicationId"
  from organizations o
  left join projects p on p.organization_id = o.id and p.slug = $2
  left join applications a on a.project_id = p.id and a.slug = $3
  where o.slug = $1`;

/** Returns the ids of the organization, project and application that the key is bound to. */
async function findBranch(connection: Connection, { org, project, application }: KeyOwner) {
  const values = [org, project ?? null, application ?? null];
  const [row] = await connection.$queryRawUnsafe<Branch[]>(FIND_BRANCH, ...values);
  if (!row) throw new CommandError(`there is no organization ${org}`);
  if (project && row.projectId === null) throw new CommandError(`there is no project ${project} in ${org}`);
  if (application && row.applicationId === null)
    throw new CommandError(`there is no application ${application} in ${org}/${project}`);
  const { organizationId, projectId, applicationId } = row;
  return { organizationId, projectId: projectId ?? undefined, applicationId: applicationId ?? undefined };
}

function checkReach({ org, project, application, operator }: CreateOptions): void {
  if (operator && org) throw new CommandError('use either --operator or --org, not both');
  if (!operator && !org) throw new CommandError('give --org, or --operator for a key that reaches every organization');
  if (!operator && application && !project) throw new CommandError('--application requires --project');
}

interface KeyRow {
  id: number;
  name: string;
  organization: string | null;
  project: string | null;
  application: string | null;
  permissions: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  rateLimit: number | null;
}

export async function list({ org, ...options }: ListOptions): Promise<void> {
  const rows = await withConnection(async (connection) => {
    if (org !== undefined) await findBranch(connection, { org });
    return connection.$queryRawUnsafe<KeyRow[]>(LIST_API_KEYS, org ?? null);
  });
  const keys = rows.map((row) => {
    const expiresAt = row.expiresAt?.toISOString() ?? null;
    return {
      id: row.id,
      name: row.name,
      organization: row.organization,
      project: row.project,
      application: row.application,
      state: keyState(row.revokedAt, expiresAt),
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
      expires_at: expiresAt,
      rate_limit: row.rateLimit,
      permissions: row.permissions,
    };
  });
  await print(options, keys, keyTable(keys));
}

/** The cell that created an operator's key says whether it is valid: to revoke a copy would change nothing. */
async function refuseCopy(connection: Connection, id: number): Promise<void> {
  const { cell } = readConfig();
  if (!cell || cellOfId(id) === cell.number) return;
  const sql = 'select id from api_keys where id = $1 and organization_id is null';
  if ((await connection.$queryRawUnsafe<unknown[]>(sql, id)).length > 0)
    throw new CommandError(`key ${id} was created in cell ${cellOfId(id)}: revoke it there`);
}

export async function revoke(id: string, options: RevokeOptions): Promise<void> {
  const number = positiveInt(id) ?? 0;
  const revoked = await withConnection(async (connection) => {
    await refuseCopy(connection, number);
    return connection.change(commandLine('key revoke'), (tx) => revokeApiKey(tx, number));
  });
  if (!revoked) throw new CommandError(`there is no valid key ${id}: npx carillon key list shows all keys`);
  await print(options, { id: number, revoked }, `key ${id} is revoked; every process refuses it within five seconds`);
}
