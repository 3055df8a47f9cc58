import { setTimeout as sleep } from 'node:timers/promises';
import { createSession } from './connection/open-session.js';
import type { SessionClient } from './connection/session-client.js';

const REOPEN_MS = 200;
const CHECK_MS = 5000;
const ANSWER_MS = 3000;

/** Receives the NOTIFY messages of other processes. It has its own connection and reconnects when the connection is lost. */
export class Listener {
  private readonly stopping = new AbortController();
  private listening: Promise<void> | undefined;
  private client: SessionClient | undefined;

  constructor(
    private readonly connectionString: string,
    private readonly notice: string,
    private readonly onNotice: (payload: string) => void,
    /** Called after a reconnect. Messages sent during the outage are lost. */
    private readonly onReconnect: () => void,
  ) {}

  /** Resolves when it listens. The first call connects. The connection then stays open until `stop`, because readers come and go. */
  ready(): Promise<void> {
    return (this.listening ??= this.open());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.client?.end().catch(() => undefined), sleep(1000, undefined, { ref: false })]);
  }

  private async open(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        return await this.connect();
      } catch {
        await sleep(REOPEN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async connect(): Promise<void> {
    const client = createSession(this.connectionString, { kind: 'signal', name: 'carillon listener' });
    client.on('notification', ({ payload = '' }) => this.onNotice(payload));
    try {
      await client.open();
      await client.query(`listen ${this.notice}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    const check = setInterval(() => void this.check(client), CHECK_MS).unref();
    client.once('end', () => {
      clearInterval(check);
      this.reopen();
    });
    if (this.stopping.signal.aborted) await client.end();
  }

  private reopen(): void {
    if (this.stopping.signal.aborted) return;
    this.listening = this.open().then(() => this.onReconnect());
  }

  /** A connection that a firewall has dropped looks the same as a quiet one, so send a query. */
  private async check(client: SessionClient): Promise<void> {
    const answer = client.query('select 1').catch(() => undefined);
    const silence = sleep(ANSWER_MS, 'silence', { ref: false });
    if ((await Promise.race([answer, silence])) === 'silence') await client.end().catch(() => undefined);
  }
}
