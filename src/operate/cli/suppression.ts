import { visible } from '../../platform/config/visible.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { commandLine } from '../../platform/database/actor.js';
import { CAUSES, putSuppression } from '../../api/suppression/suppression.js';
import type { SuppressionCause, SuppressionRow } from '../../api/suppression/suppression.js';
import { FIND_PROJECT, LIFT_SUPPRESSION, listSuppressions } from '../../api/suppression/suppression.sql.js';
import { withConnection } from './connection.js';
import type { Connection } from './connection.js';
import { CommandError, aligned, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';

export interface ListSuppressionsOptions extends PrintOptions {
  org: string;
  project?: string;
  address?: string;
  cause?: string;
}

export interface AddSuppressionOptions {
  org: string;
  project?: string;
  name: string;
  value: string;
  cause: string;
  note?: string;
  expires?: string;
  json?: boolean;
}

/** More rows are better read over the API, page by page. */
const MAX_LISTED = 100_000;

export async function list({ org, project, address, cause, ...options }: ListSuppressionsOptions): Promise<void> {
  if (cause !== undefined) checkCause(cause);
  const rows = await withConnection(async (connection) => {
    const organizationId = await findOrganization(connection, org);
    const projectId = project === undefined ? null : await findProject(connection, organizationId, project);
    const { text, values } = listSuppressions({ address: address ?? null, cause: cause ?? null, projectId });
    return connection.$queryRawUnsafe<SuppressionRow[]>(text, organizationId, 0, MAX_LISTED, ...values);
  });
  const lines = rows.map((row) => [
    String(row.id),
    row.name,
    visible(row.value),
    row.cause,
    row.project ?? 'all',
    row.createdAt.toISOString().slice(0, 16).replace('T', ' '),
    row.expiresAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
    visible(String(row.evidence.note ?? row.evidence.answer ?? '')).slice(0, 80),
  ]);
  await print(options, rows.map(shown), lines.length === 0 ? 'no suppressions' : aligned([HEADER, ...lines]));
}

const HEADER = ['ID', 'KIND', 'ADDRESS', 'CAUSE', 'PROJECT', 'SINCE', 'EXPIRES', 'EVIDENCE'];

export async function add({ org, json, expires, ...wanted }: AddSuppressionOptions): Promise<void> {
  const cause = checkCause(wanted.cause);
  const put = await withConnection(async (connection) => {
    const organizationId = await findOrganization(connection, org);
    return connection.change(commandLine('suppression add'), (tx) =>
      putSuppression(tx, { organizationId, projectId: null }, { ...wanted, cause, expires_at: expires }),
    );
  });
  if ('errors' in put) {
    const named = Object.entries(put.errors).map(([field, all]) => [`--${OPTIONS[field] ?? field}`, all] as const);
    throw new CommandError(named.map(([option, [error]]) => `${option} ${error!.sentence}`).join('; '));
  }
  const { id, name, value } = put.row;
  await print({ json }, shown(put.row), `${name} ${visible(value)} is suppressed (${id})`);
}

/** The options that are named differently from the fields of the API. */
const OPTIONS: Record<string, string> = { expires_at: 'expires' };

export async function lift(id: string, options: PrintOptions): Promise<void> {
  const number = positiveInt(id) ?? 0;
  const lifted = await withConnection((connection) =>
    connection.change(commandLine('suppression lift'), (tx) =>
      tx.$queryRawUnsafe<unknown[]>(LIFT_SUPPRESSION, null, number, null),
    ),
  );
  if (lifted.length === 0)
    throw new CommandError(`there is no suppression ${id}: npx carillon suppression list --org <slug> shows them`);
  await print(options, { id: number, lifted: true }, `suppression ${id} is lifted`);
}

const shown = ({ id, name, value, project, cause, evidence, createdAt, expiresAt }: SuppressionRow) => ({
  ...{ id, name, value, project, cause, evidence },
  created_at: createdAt,
  expires_at: expiresAt,
});

function checkCause(text: string): SuppressionCause {
  const cause = CAUSES.find((each) => each === text);
  if (!cause) throw new CommandError(`--cause must be one of ${CAUSES.join(', ')}, not "${text}"`);
  return cause;
}

async function findOrganization(connection: Connection, slug: string): Promise<number> {
  const find = 'select id from organizations where slug = $1';
  const [row] = await connection.$queryRawUnsafe<{ id: number }[]>(find, slug);
  if (!row) throw new CommandError(`there is no organization ${slug}`);
  return row.id;
}

async function findProject(connection: Connection, organizationId: number, slug: string): Promise<number> {
  const [row] = await connection.$queryRawUnsafe<{ id: number }[]>(FIND_PROJECT, organizationId, slug, null);
  if (!row) throw new CommandError(`there is no project ${slug}`);
  return row.id;
}
