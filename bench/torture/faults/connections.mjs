import { Client } from 'pg';

const MOST = 200;

/** Holds every connection that PostgreSQL still allows. */
export class Connections {
  #clients = [];
  #url;

  constructor(url) {
    this.#url = url;
  }

  /** Returns how many were taken. */
  async take() {
    let taken = 0;
    while (this.#clients.length < MOST) {
      const client = new Client({ connectionString: this.#url, connectionTimeoutMillis: 5000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        break;
      }
      this.#clients.push(client);
      taken++;
    }
    return taken;
  }

  /** Runs a statement over one of them: nobody else may get a connection. */
  async query(sql) {
    await this.#clients[0]?.query(sql).catch(() => undefined);
  }

  async release() {
    await Promise.all(this.#clients.splice(0).map((client) => client.end().catch(() => undefined)));
  }
}
