import { ApiKeyStore, MAX_RATE_LIMIT } from '../auth/api-key-store.js';
import { PERMISSIONS } from '../auth/permission.js';
import type { Permission } from '../auth/permission.js';
import { visible } from '../config/visible.js';
import { dateTimeProblem } from '../field/date-time.js';
import { positiveInt } from '../http/list/page.js';
import { commandLine } from '../prisma/actor.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { withServices } from './context.js';
import { CommandError, print } from './print/print.js';

export interface CreateOptions {
  org?: string;
  project?: string;
  application?: string;
  operator?: boolean;
  name: string;
  permission: string[];
  all?: boolean;
  expires?: string;
  rateLimit?: string;
  json?: boolean;
}

export interface ListOptions {
  org?: string;
  json?: boolean;
}

export async function create(options: CreateOptions): Promise<void> {
  const permissions = readPermissions(options);
  const expiresAt = readExpiry(options.expires);
  const rateLimit = readRateLimit(options.rateLimit);
  const name = options.name.trim();
  if (!name) throw new CommandError('--name must not be blank');
  const { id, text } = await withServices(async (services) => {
    const branch = await findBranch(services.get(PrismaService), options);
    const key = { name, permissions, expiresAt, rateLimit, ...branch };
    return services.get(ApiKeyStore).create(key, commandLine('key create'));
  });
  print(options.json, { id, name, key: text }, text);
}

function readPermissions({ all, permission }: CreateOptions): readonly Permission[] {
  const unknown = permission.filter((name) => !(PERMISSIONS as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new CommandError(`there is no permission ${unknown.join(', ')}; choose from ${PERMISSIONS.join(', ')}`);
  if (!all && permission.length === 0) throw new CommandError('give at least one --permission, or --all');
  return all ? PERMISSIONS : [...new Set(permission as Permission[])];
}

function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const problem = dateTimeProblem(text);
  if (problem) throw new CommandError(`--expires ${problem}, not "${text}"`);
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

/** Returns the ids of the organization, project and application that the key is bound to. */
async function findBranch(prisma: PrismaService, { org, project, application, operator }: CreateOptions) {
  if (operator && org) throw new CommandError('use either --operator or --org, not both');
  if (operator) return {};
  if (!org) throw new CommandError('give --org, or --operator for a key that reaches every organization');
  if (application && !project) throw new CommandError('--application requires --project');
  const row = await prisma.organization.findUnique({
    where: { slug: org },
    select: {
      id: true,
      projects: {
        where: { slug: project ?? '' },
        select: { id: true, applications: { where: { slug: application ?? '' }, select: { id: true } } },
      },
    },
  });
  if (!row) throw new CommandError(`there is no organization ${org}`);
  const projectId = row.projects[0]?.id;
  if (project && projectId === undefined) throw new CommandError(`there is no project ${project} in ${org}`);
  const applicationId = row.projects[0]?.applications[0]?.id;
  if (application && applicationId === undefined)
    throw new CommandError(`there is no application ${application} in ${org}/${project}`);
  return { organizationId: row.id, projectId, applicationId };
}

export async function list({ org, json }: ListOptions): Promise<void> {
  const rows = await withServices((services) => services.get(ApiKeyStore).list(org));
  const keys = rows.map((row) => ({
    id: row.id,
    name: row.name,
    reaches:
      [row.organization, row.project, row.application].flatMap((level) => level?.slug ?? []).join('/') || 'everything',
    state: row.revokedAt ? 'revoked' : row.expiresAt && row.expiresAt <= new Date() ? 'expired' : 'valid',
    last_used_at: row.lastUsedAt,
    expires_at: row.expiresAt,
    rate_limit: row.rateLimit,
    permissions: row.permissions,
  }));
  print(json, keys, table(keys));
}

function table(
  keys: {
    id: number;
    name: string;
    reaches: string;
    state: string;
    last_used_at: Date | null;
    rate_limit: number | null;
    permissions: string[];
  }[],
): string {
  if (keys.length === 0) return 'no keys';
  const rows = [
    ['ID', 'NAME', 'REACHES', 'STATE', 'LAST USED', 'RATE LIMIT', 'PERMISSIONS'],
    ...keys.map((key) => [
      String(key.id),
      visible(key.name),
      key.reaches,
      key.state,
      key.last_used_at?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
      key.rate_limit === null ? '-' : String(key.rate_limit),
      key.permissions.length === PERMISSIONS.length ? 'all' : key.permissions.join(' '),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export async function revoke(id: string, json?: boolean): Promise<void> {
  const number = positiveInt(id) ?? 0;
  const revoked = await withServices((services) => services.get(ApiKeyStore).revoke(number, commandLine('key revoke')));
  if (!revoked) throw new CommandError(`there is no valid key ${id}: carillon key list shows all keys`);
  print(json, { id: number, revoked }, `key ${id} is revoked; every process refuses it within five seconds`);
}
