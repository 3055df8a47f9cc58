import type { Suppression } from '../../../../../clients/typescript/src/schema.js';
import { visible } from '../../../../platform/config/visible.js';
import { print } from '../../print/print.js';
import { suppressionTable } from '../../print/suppression-table.js';
import type { AddSuppressionOptions, LiftSuppressionOptions, ListSuppressionsOptions } from '../../suppression.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import { api } from '../path.js';
import { organizationOf } from './organization.js';
import { pages } from './pages.js';

export async function list(options: ListSuppressionsOptions): Promise<void> {
  const { org, project, address, cause } = options;
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, org);
  const rows: Suppression[] = [];
  for await (const page of pages<Suppression>(client, api`/api/o/${organization}/suppressions/`, { address, cause }))
    rows.push(...page.filter((row) => project === undefined || row.project === project));
  const listed = rows.map(({ id, name, value, project: of, ...row }) => ({
    ...{ id, name, value, project: of, cause: row.cause, evidence: row.evidence },
    created_at: row.created_at,
    expires_at: row.expires_at,
  }));
  await print(options, listed, suppressionTable(listed));
}

export async function add(options: AddSuppressionOptions): Promise<void> {
  const { org, project, name, value, cause, note, expires } = options;
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, org);
  const body = { project, name, value, cause, note, expires_at: expires };
  const row = await client.send<Suppression>('POST', api`/api/o/${organization}/suppressions/`, { body });
  await print(options, row, `${row.name} ${visible(row.value)} is suppressed (${row.id})`);
}

export async function lift(id: string, options: LiftSuppressionOptions): Promise<void> {
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, options.org);
  await client.send('DELETE', api`/api/o/${organization}/suppressions/${id}/`);
  await print(options, { id: Number(id), lifted: true }, `suppression ${id} is lifted`);
}
