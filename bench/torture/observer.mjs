import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const AGAIN_MS = 100;
/** PostgreSQL recovers from a crash well within this time. */
const PATIENCE_MS = 120_000;

const OPEN = `
  select (select count(*) from occurrences where status in ('pending', 'expanding'))::int occurrences,
         (select count(*) from deliveries where status = 'pending')::int deliveries,
         (select count(*) from jobs)::int jobs`;

// Only the newest rows: the tables are large after an hour, and nothing waits for long.
const WAITING = `
  select ((select count(*) from (select status from occurrences order by id desc limit 2000) o where status in ('pending', 'expanding'))
        + (select count(*) from (select status from deliveries order by id desc limit 5000) d where status = 'pending'))::int waiting`;

// A retry may be due hours later. This is what the passing of these hours would do.
const HURRY = [
  `update deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
  `update jobs set run_at = now() where state = 'scheduled' and run_at > now()`,
  `update channel_states set probe_at = now() where probe_at > now()`,
];

/** Looks into the database past the service. Comes back when PostgreSQL does. */
export class Observer {
  #url;
  #connected = null;

  constructor(url) {
    this.#url = url;
  }

  /** Tries until PostgreSQL answers. Only for statements that may run twice. */
  async query(sql, values) {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(AGAIN_MS)) {
      const connected = (this.#connected ??= connect(this.#url));
      try {
        return (await (await connected).query(sql, values)).rows;
      } catch (error) {
        if (this.#connected === connected) await this.close();
        if (Date.now() > deadline) throw new Error(`the database does not answer: ${error.message}`, { cause: error });
      }
    }
  }

  /** @returns {Promise<{ occurrences: number, deliveries: number, jobs: number }>} what the service has still to do */
  async open() {
    return (await this.query(OPEN))[0];
  }

  /** @returns {Promise<number>} about how many messages wait, at little cost */
  async waiting() {
    return (await this.query(WAITING))[0].waiting;
  }

  /** Makes everything due that waits for a later time. */
  async hurry() {
    for (const statement of HURRY) await this.query(statement);
  }

  /** Waits until PostgreSQL takes a new connection. */
  async reconnect() {
    await this.close();
    await this.query('select 1');
  }

  async close() {
    const connected = this.#connected;
    this.#connected = null;
    await connected?.then((client) => client.end()).catch(() => undefined);
  }
}

async function connect(connectionString) {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 60_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
