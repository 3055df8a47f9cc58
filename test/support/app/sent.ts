import { LOAD_DUE } from '../../../src/api/schedule/schedule.sql.js';
import { Client } from 'pg';
import { PROBE } from '../../../src/platform/database/connection/connection-watch.js';

export interface Sent {
  /** Of a prepared statement. */
  name?: string;
  text: string;
  values: unknown[];
}

/** Every statement that is sent to PostgreSQL while `work` is done, but for the probe that each process sends once a second. */
export async function sentDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const { query } = Client.prototype;
  const sent: Sent[] = [];
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first, second] = args as [string | (Partial<Sent> & { text: string }), unknown[]?];
    // Field by field: the text of `Prisma.sql` is no property of its own.
    sent.push(
      typeof first === 'string'
        ? { text: first, values: second ?? [] }
        : { name: first.name, text: first.text, values: first.values ?? second ?? [] },
    );
    return (query as (...inner: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await work();
    return sent.filter(({ text }) => text !== PROBE && text !== LOAD_DUE);
  } finally {
    Client.prototype.query = query;
  }
}
