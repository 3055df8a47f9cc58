import { visible } from '../../platform/config/visible.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { commandLine } from '../../platform/database/actor.js';
import { CAUSES, putSuppression } from '../../api/suppression/suppression.js';
import type { SuppressionCause, SuppressionRow } from '../../api/suppression/suppression.js';
import { FIND_PROJECT, LIFT_SUPPRESSION, listSuppressions } from '../../api/suppression/suppression.sql.js';
import { withConnection } from './connection.js';
import type { Connection } from './connection.js';
import { CommandError, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';
import { suppressionTable } from './print/suppression-table.js';
import type { RemoteOptions } from './remote/options.js';

export interface ListSuppressionsOptions extends PrintOptions, RemoteOptions {
  org?: string;
  project?: string;
  address?: string;
  cause?: string;
}

export interface LiftSuppressionOptions extends PrintOptions, RemoteOptions {
  /** Only over HTTP. */
  org?: string;
}

export interface AddSuppressionOptions extends RemoteOptions {
  org?: string;
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
    const { text, values } = listSuppressions({
      address: address ?? null,
      cause: cause ?? null,
      search: null,
      projectId,
    });
    return connection.$queryRawUnsafe<SuppressionRow[]>(text, organizationId, 0, MAX_LISTED, ...values);
  });
  const listed = rows.map(shown);
  await print(options, listed, suppressionTable(listed));
}

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

export async function lift(id: string, options: LiftSuppressionOptions): Promise<void> {
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
  created_at: createdAt.toISOString(),
  expires_at: expiresAt?.toISOString() ?? null,
});

function checkCause(text: string): SuppressionCause {
  const cause = CAUSES.find((each) => each === text);
  if (!cause) throw new CommandError(`--cause must be one of ${CAUSES.join(', ')}, not "${text}"`);
  return cause;
}

async function findOrganization(connection: Connection, slug: string | undefined): Promise<number> {
  if (slug === undefined) throw new CommandError('say which organization: --org');
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
