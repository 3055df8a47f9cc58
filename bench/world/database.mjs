import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DoesNotAddUp } from '../measure/add-up.mjs';

const DRAIN_MS = 120_000;

const COUNTS = `
  select (select count(*) from occurrences)::int occurrences,
         (select count(*) from occurrences where status = 'expanded')::int expanded,
         (select count(*) from deliveries)::int deliveries,
         (select count(*) from deliveries where status = 'sent')::int sent,
         (select count(*) from attempts)::int attempts,
         (select count(*) from jobs)::int jobs`;

/** One migrated database, seen from the benchmark. */
export class Database {
  #client;

  constructor(url, client) {
    this.url = url;
    this.#client = client;
  }

  static async connect(url) {
    const client = new Client({ connectionString: url, keepAlive: true });
    client.on('error', () => undefined);
    await client.connect();
    return new Database(url, client);
  }

  async query(sql, values) {
    return (await this.#client.query(sql, values)).rows;
  }

  /** @returns {Promise<Record<'occurrences' | 'expanded' | 'deliveries' | 'sent' | 'attempts' | 'jobs', number>>} */
  async counts() {
    return (await this.query(COUNTS))[0];
  }

  /** Whether no job is waiting or running. Ignores the generated jobs, which are due hours later. */
  async isIdle() {
    const [{ idle }] = await this.query(
      `select not exists (select from jobs where run_at < now() + interval '1 hour') idle`,
    );
    return idle;
  }

  async drained() {
    for (const deadline = Date.now() + DRAIN_MS; !(await this.isIdle()); await sleep(20)) {
      if (Date.now() < deadline) continue;
      const { jobs } = await this.counts();
      throw new DoesNotAddUp(`the queue does not empty: ${jobs} jobs are left after ${DRAIN_MS / 1000} s`);
    }
  }

  /** Deletes all occurrences, so that each round starts with the same data. */
  async forget() {
    await this.query('truncate occurrences cascade');
  }

  /** Makes PostgreSQL write its postponed changes now, and not during the next measurement. */
  async calm() {
    await this.query('checkpoint');
  }

  async close() {
    await this.#client.end();
  }
}
