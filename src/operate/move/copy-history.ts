import type { Copy } from './copy.js';
import { childrenOf } from './tables.js';

/** Where to go on after a kill: each table by its key, occurrences by event, and the deliveries of the last occurrences. */
export interface Progress {
  /** The place of the last copied row, by table. */
  tables?: Record<string, string[]>;
  /** Tables that are copied. */
  copied?: string[];
  event?: number;
  occurrence?: string[];
  rows?: number;
}

/** Occurrences that are copied together with all that belongs to them. PostgreSQL may sort all their deliveries for each page of them. */
const OCCURRENCES = 100;

type Save = (progress: Progress) => Promise<void>;

/** Copies everything but what must wait for the freeze, while the organization works on. Changes in the meantime are noted. */
export async function copyHistory(copy: Copy, progress: Progress, save: Save): Promise<void> {
  copy.copied = progress.rows ?? 0;
  for (const table of copy.tables.filter(({ kind, history }) => kind === 'rows' && !history)) {
    if (progress.copied?.includes(table.name)) continue;
    const after = progress.tables?.[table.name] ?? null;
    await copy.all(table, { where: table.scope, values: [copy.organizationId], after }, async (_, last) => {
      progress.tables = { [table.name]: last };
      progress.rows = copy.copied;
      await save(progress);
    });
    progress.copied = [...(progress.copied ?? []), table.name];
    await save(progress);
  }
  const events = await copy.source.rows<{ id: number }>(
    'select id from events where organization_id = $1 and id >= $2 order by id',
    [copy.organizationId, progress.event ?? 0],
  );
  for (const { id } of events) {
    if (progress.event !== id) Object.assign(progress, { event: id, occurrence: undefined });
    await copyEvent(copy, progress, save);
  }
}

/** The index of occurrences by event has their order. */
async function copyEvent(copy: Copy, progress: Progress, save: Save): Promise<void> {
  const table = copy.table('occurrences');
  const query = { where: 't.event_id = $1', values: [progress.event], after: progress.occurrence, limit: OCCURRENCES };
  await copy.all(table, query, async ({ rows }, last) => {
    const ids = rows.map(({ key }) => key[0]!);
    for (const child of childrenOf(copy.tables, 'occurrences')) await copy.children(child, ids);
    await copyDeliveries(copy, ids);
    Object.assign(progress, { occurrence: last, rows: copy.copied });
    await save(progress);
  });
}

/** In the order of the unique index that begins with the occurrence: one occurrence may have a million. */
async function copyDeliveries(copy: Copy, occurrences: string[]): Promise<void> {
  const table = copy.table('deliveries');
  const columns = ['occurrence_id', 'notification_id', 'channel_id', 'user_id'];
  const order = columns.map((name) => table.columns.find((column) => column.name === name)!);
  await copy.all(table, { where: 't.occurrence_id = any($1)', values: [occurrences], order }, async ({ rows }) => {
    const ids = rows.map(({ key }) => key[0]!);
    for (const child of childrenOf(copy.tables, 'deliveries')) await copy.children(child, ids);
  });
}
