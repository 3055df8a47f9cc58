import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { tryPort } from '../../platform/config/try-port.js';
import type { OpenDatabase } from '../../platform/database/open-database.js';
import { secretKeyOf } from '../../platform/secret/secret-key.js';
import type { Measured } from '../../platform/telemetry/metrics.js';
import { STOP_MS } from './running.js';
import type { Running } from './running.js';

const ENTRY = fileURLToPath(new URL('./service-process.js', import.meta.url));

/** A process that served for at least this time is replaced at once. */
const STEADY_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/** A process that does not send its metrics in time is left out. */
const MEASURE_TIMEOUT_MS = 3000;

/** The first message to a process. It goes over a channel: a command line would show the database's password to everyone. */
export interface Assignment {
  config: Config;
  database: Omit<OpenDatabase, 'close'>;
}

/** Sent once by a process: it listens, or the error that prevents it. */
export interface StartResult {
  error?: string;
  demoKey?: string | null;
  link?: string | null;
}

/** The answer of a process to `measure`. */
export interface MetricsAnswer {
  measured: Measured;
}

/** Starts the service in several processes that share the port. A process that dies is replaced. */
export async function startProcesses(config: Config, { url, embedded }: OpenDatabase): Promise<Running> {
  // Port and key are chosen before the first process starts, so that all processes have the same.
  const port = await tryPort(config.port, config.host);
  const assignment = {
    config: { ...config, port, secretKey: secretKeyOf(config) },
    database: { url, embedded: false },
  };
  const demoAssignment = { ...assignment, database: { url, embedded } };
  cluster.setupPrimary({ exec: ENTRY, args: [], serialization: 'advanced' });
  const slots = Array.from(
    { length: config.processes },
    (_, index) => new ProcessSlot(index === 0 ? demoAssignment : assignment),
  );
  const stop = async () => {
    const clean = await Promise.all(slots.map((slot) => slot.stop()));
    if (!clean.every(Boolean)) process.exitCode = 1;
  };
  const results = await Promise.all(slots.map((slot) => slot.child.started));
  const error = results.find((result) => result.error)?.error;
  if (error) {
    await stop();
    throw new Error(error);
  }
  for (const slot of slots) void slot.keep(assignment);
  const measure = () => Promise.all(slots.map((slot) => slot.child.measure()));
  const { demoKey = null, link = null } = results[0] ?? {};
  return { port, demoKey, link, measure, stop };
}

/** One of the processes: the current child, and its successors. */
class ProcessSlot {
  child: Child;
  private readonly logger = new Logger('Processes');
  private readonly stopping = new AbortController();

  constructor(assignment: Assignment) {
    this.child = new Child(assignment);
  }

  /** Starts a new child whenever the current one ends. */
  async keep(assignment: Assignment): Promise<void> {
    for (let pauseMs = 0; ; this.child = new Child(assignment)) {
      const cause = await this.child.ended;
      if (this.stopping.signal.aborted) return;
      const { pid, servedMs } = this.child;
      pauseMs = servedMs > STEADY_MS ? 0 : Math.min(Math.max(2 * pauseMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
      this.logger.error({ message: 'a process ended and is restarted', pid, cause, pauseMs });
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
    }
  }

  /** Whether the child, if there was one, ended cleanly. */
  stop(): Promise<boolean> {
    this.stopping.abort();
    return this.child.stop();
  }
}

class Child {
  /** The result of the start; an error when the child ended before it sent one. */
  readonly started: Promise<StartResult>;
  /** The reason why the child ended. */
  readonly ended: Promise<string>;
  private readonly worker = cluster.fork();
  private readonly ready: Promise<void>;
  private servesSince = Infinity;
  private measuring: Promise<Measured> | undefined;

  constructor(assignment: Assignment) {
    const end = ending(this.worker);
    closeUndelivered(this.worker);
    this.ready = this.message<'ready'>().then(() => this.send(assignment));
    this.started = Promise.race([
      this.ready.then(() => this.message<StartResult>()),
      end.then((how) => ({ error: `a process ended while it started: ${how}` })),
    ]);
    this.ended = Promise.all([end, this.started]).then(([how, { error }]) => error ?? how);
    void this.started.then(({ error }) => {
      if (error) this.send('stop');
      else this.servesSince = performance.now();
    });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  get servedMs(): number {
    return performance.now() - this.servesSince;
  }

  /** The metrics of the child; none while it does not serve. Requests at the same time share one answer. */
  measure(): Promise<Measured> {
    if (this.servesSince === Infinity || !this.worker.isConnected()) return Promise.resolve([]);
    return (this.measuring ??= this.askMetrics()
      .catch(() => [])
      .finally(() => (this.measuring = undefined)));
  }

  private async askMetrics(): Promise<Measured> {
    this.send('measure');
    const [answer] = (await once(this.worker, 'message', { signal: AbortSignal.timeout(MEASURE_TIMEOUT_MS) })) as [
      MetricsAnswer,
    ];
    return answer.measured;
  }

  /** Whether the child ended cleanly; true for a child that had ended before. */
  async stop(): Promise<boolean> {
    const { worker } = this;
    if (worker.isDead()) return true;
    void this.ready.then(() => this.send('stop'));
    const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(late);
    return worker.process.exitCode === 0;
  }

  private message<T>(): Promise<T> {
    return new Promise((resolve) => this.worker.once('message', resolve));
  }

  // Errors are ignored: the end of the child is noticed elsewhere.
  private send(message: Assignment | 'measure' | 'stop'): void {
    this.worker.send(message, () => undefined);
  }
}

/**
 * Resolves with the signal, code or error that ended the child. It does not wait until the channel closes: the channel may stay half
 * open, because cluster waits for an answer about the last connection that it passed on.
 */
function ending(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    // A child that could not be spawned has only an error. Other errors are about messages that no longer reached it.
    worker.on('error', ({ message }) => worker.process.pid === undefined && resolve(message));
  });
}

/**
 * Cluster passes connections to the children in turn. It forgets a connection that was on its way to a child when that child died, and
 * its client would wait forever. This closes the connection, so that the client can retry.
 */
function closeUndelivered(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: { close(): void } | undefined;
  child.send = (...args: unknown[]) => {
    if (args[1] && typeof args[1] === 'object') last = args[1] as typeof last;
    if (worker.isDead()) last?.close();
    return send(...args);
  };
  worker.once('exit', () => last?.close());
}
