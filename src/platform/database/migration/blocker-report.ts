import type { Client, QueryResult } from 'pg';
import { createSession } from '../connection/open-session.js';
import type { SessionClient } from '../connection/session-client.js';
import { inShort } from './statements.js';

export type Print = (message: string) => void;

const REPEAT_MS = 10_000;
/** The answer may be on its way at the first look. */
const IDLE_LOOKS = 3;

const BLOCKERS = `
  select b.pid, coalesce(nullif(b.application_name, ''), 'without a name') "name", coalesce(b.state, 'of another account') state,
         coalesce(extract(epoch from clock_timestamp() - b.xact_start)::int, 0) seconds, coalesce(b.query, '') query
  from unnest(pg_blocking_pids($1)) u(pid) join pg_stat_activity b using (pid) order by b.xact_start limit 3`;

const PROGRESS = `
  select phase, case when blocks_total > 0 then 100 * blocks_done / blocks_total end::int percent
  from pg_stat_progress_create_index where pid = $1`;

/** Whether the session still runs the statement. If not, and its answer has not come, the answer is lost. */
const IS_ACTIVE = `select coalesce(bool_or(state = 'active'), false) "isActive" from pg_stat_activity where pid = $1`;

interface Blocker {
  pid: number;
  name: string;
  state: string;
  seconds: number;
  query: string;
}

/** Says which statement of a session waits for whom. Its own connection is opened when something takes long. */
export class BlockerReport {
  private client: Promise<Client> | undefined;

  constructor(
    private readonly connectionString: string,
    private readonly pid: number,
    private readonly print: Print,
    private readonly lookMs: number,
  ) {}

  /** Runs one statement. Looks every `lookMs` who blocks it, and prints that when it changes and every ten seconds. */
  async over(sql: string, client: SessionClient): Promise<QueryResult> {
    let idleLooks = 0;
    let said = '';
    let saidAt = Date.now();
    let looking: Promise<void> | undefined;
    const startedAt = Date.now();
    const look = async (): Promise<void> => {
      idleLooks = (await this.isActive()) ? 0 : idleLooks + 1;
      if (idleLooks >= IDLE_LOOKS) return client.giveUp(Date.now() - startedAt);
      const blockers = await this.blockers();
      const who = blockers.map(({ pid }) => pid).join();
      if (who === said && Date.now() - saidAt < REPEAT_MS) return;
      [said, saidAt] = [who, Date.now()];
      if (blockers.length > 0) this.print(`${inShort(sql)}: waits for ${blockers.map(described).join(', ')}`);
      else this.print(`${inShort(sql)}: ${await this.progress()}`);
    };
    const timer = setInterval(() => {
      looking ??= look()
        .catch(() => undefined) // It only informs: a failure must not end the migration.
        .finally(() => (looking = undefined));
    }, this.lookMs);
    try {
      return await client.query(sql);
    } finally {
      clearInterval(timer);
      await looking;
    }
  }

  async end(): Promise<void> {
    await this.client?.then(
      (client) => client.end(),
      () => undefined,
    );
  }

  private async isActive(): Promise<boolean> {
    return (await (await this.open()).query<{ isActive: boolean }>(IS_ACTIVE, [this.pid])).rows[0]!.isActive;
  }

  private async blockers(): Promise<Blocker[]> {
    return (await (await this.open()).query<Blocker>(BLOCKERS, [this.pid])).rows;
  }

  private async progress(): Promise<string> {
    const { rows } = await (await this.open()).query<{ phase: string; percent: number | null }>(PROGRESS, [this.pid]);
    if (!rows[0]) return 'still runs';
    return rows[0].percent === null ? rows[0].phase : `${rows[0].phase}, ${rows[0].percent} %`;
  }

  private open(): Promise<Client> {
    return (this.client ??= connected(this.connectionString));
  }
}

const connected = (connectionString: string): Promise<Client> =>
  createSession(connectionString, { kind: 'signal', name: 'carillon migrate watch' }).open();

const described = ({ pid, name, state, seconds, query }: Blocker): string =>
  `session ${pid} (${name}, ${state}, transaction of ${seconds} s: ${inShort(query)})`;
