import { setTimeout as sleep } from 'node:timers/promises';
import { createSession } from '../database/connection/open-session.js';
import type { SessionClient } from '../database/connection/session-client.js';
import { Notice } from '../database/notice.js';

const REOPEN_MS = 200;
const ANSWER_MS = 3000;

/**
 * Shows other workers that this one lives: its own session holds an advisory lock on the worker's number. The same session hears of new
 * jobs. When the session is lost, a new one takes the lock again before other workers recover our jobs.
 */
export class WorkerSession {
  private client: SessionClient | undefined;
  private openedAt = 0;
  private isStopped = false;

  constructor(
    private readonly connectionString: string,
    private readonly worker: string,
    private readonly onNotice: (kind: string) => void,
  ) {}

  async open(): Promise<void> {
    const client = createSession(this.connectionString, { kind: 'signal', name: 'carillon queue lock' });
    client.on('notification', ({ payload = '' }) => this.onNotice(payload));
    try {
      await client.open();
      await client.query('select pg_advisory_lock($1)', [this.worker]);
      await client.query(`listen ${Notice.Jobs.name}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => void this.reopen());
    this.client = client;
    this.openedAt = performance.now();
  }

  /** For how long we have held our lock without interruption; 0: we do not hold it. A firewall may drop a session silently: this asks it. */
  async heldMs(): Promise<number> {
    const { client } = this;
    const silence = sleep(ANSWER_MS, 'silent', { ref: false });
    const answer = client?.query('select 1').then(
      () => 'held',
      () => 'gone',
    );
    const heard = await Promise.race([answer, silence]);
    if (heard === 'held' && this.client === client) return performance.now() - this.openedAt;
    if (heard === 'silent' && this.client === client) {
      client?.removeAllListeners('end');
      client?.end().catch(() => undefined);
      await this.reopen();
    }
    return 0;
  }

  async close(): Promise<void> {
    this.isStopped = true;
    await Promise.race([this.client?.end().catch(() => undefined), sleep(1000, undefined, { ref: false })]);
  }

  private async reopen(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.open();
        // What was announced meanwhile was not heard.
        this.onNotice(Notice.Jobs.expand);
        this.onNotice(Notice.Jobs.others);
        return;
      } catch {
        await sleep(REOPEN_MS);
      }
    }
  }
}
