import type { SessionClient } from '../connection/session-client.js';
import { record, recordEnd } from './history.js';
import { inTransaction } from '../transaction.js';
import type { Migration } from './migration-file.js';
import { inShort, statementsOf } from './statements.js';
import type { Step } from './step.js';
import type { Print, BlockerReport } from './blocker-report.js';

export interface MigrationRun {
  client: SessionClient;
  watch: BlockerReport;
  print: Print;
  lockTimeoutMs: number;
}

/** Runs `migration.sql` in one transaction. A lock that it does not get in time ends it: writers must not queue behind it for long. */
export function runTransaction(run: MigrationRun, migration: Migration): Promise<void> {
  const { client, lockTimeoutMs } = run;
  return inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    for (const sql of statementsOf(migration.sql)) await runOne(run, migration, sql);
    await record(client, migration);
  });
}

/** Runs the statements of `concurrently.sql` one by one. They block no writer, so each may wait as long as it must. */
export async function runSteps(run: MigrationRun, migration: Migration): Promise<void> {
  for (const step of migration.steps) {
    if (step.index !== null) await build(run, migration, step, step.index);
    else if (step.isRepeated) await repeat(run, migration, step);
    else await runOne(run, migration, step.sql);
  }
  if (migration.steps.length > 0) await recordEnd(run.client, migration);
}

/** A build that was killed leaves an index that is not valid: no query uses it, and every write pays for it. */
async function build(run: MigrationRun, migration: Migration, step: Step, index: string): Promise<void> {
  const { rows } = await run.client.query<{ isValid: boolean }>(
    `select indisvalid "isValid" from pg_index where indexrelid = to_regclass($1)`,
    [`"${index}"`],
  );
  if (rows[0]?.isValid) return;
  if (rows[0]) {
    run.print(`${index} was not finished: it is dropped and built again`);
    await runOne(run, migration, `drop index concurrently if exists "${index}"`);
  }
  await runOne(run, migration, step.sql);
}

const SAY_MS = 10_000;

async function repeat(run: MigrationRun, migration: Migration, { sql }: Step): Promise<void> {
  let all = 0;
  let saidAt = Date.now();
  for (;;) {
    const rows = await runOne(run, migration, sql);
    if (rows === 0) return;
    all += rows;
    if (Date.now() - saidAt < SAY_MS) continue;
    run.print(`${inShort(sql)}: ${all} rows so far`);
    saidAt = Date.now();
  }
}

async function runOne({ client, watch }: MigrationRun, { name }: Migration, sql: string): Promise<number> {
  try {
    return (await client.unhurried(() => watch.over(sql, client))).rowCount ?? 0;
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message} (in: ${inShort(sql)})`, { cause: error });
  }
}
