import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CarillonLogger } from '../config/log.js';
import { tryPort } from '../config/try-port.js';
import type { OpenDatabase } from '../prisma/open-database.js';
import { secretKeyOf } from '../secret/secret-key.js';
import type { Measured } from '../watch/meters.js';
import { STOP_MS } from './running.js';
import type { Running } from './running.js';

const ENTRY = fileURLToPath(new URL('./service-process.js', import.meta.url));

/** One that served for so long had started well: the next takes its place at once. */
const STEADY_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/** A process that does not say in time what it has measured is left out. */
const MEASURE_MS = 3000;

/** What a process is told first. Over its channel: a command line would show the database's password to everyone. */
export interface Assignment {
  config: Config;
  database: Omit<OpenDatabase, 'close'>;
}

/** What a process says, once: that it listens, or why it does not. */
export interface Word {
  error?: string;
  demoKey?: string | null;
}

/** What a process answers when it is asked what it has measured. */
export interface Answer {
  measured: Measured;
}

/** Starts the service in several processes, which share the port. One that dies is started again. */
export async function startProcesses(config: Config, { url, embedded }: OpenDatabase): Promise<Running> {
  Logger.overrideLogger(new CarillonLogger(config));
  // Port and key are settled before the first process starts, so that all have the same.
  const port = await tryPort(config.port, config.host);
  const assignment = {
    config: { ...config, port, secretKey: secretKeyOf(config) },
    database: { url, embedded: false },
  };
  const demoAssignment = { ...assignment, database: { url, embedded } };
  cluster.setupPrimary({ exec: ENTRY, args: [], serialization: 'advanced' });
  const places = Array.from(
    { length: config.processes },
    (_, index) => new Place(index === 0 ? demoAssignment : assignment),
  );
  const stop = async () => {
    const clean = await Promise.all(places.map((place) => place.stop()));
    if (!clean.every(Boolean)) process.exitCode = 1;
  };
  const words = await Promise.all(places.map((place) => place.child.said));
  const error = words.find((word) => word.error)?.error;
  if (error) {
    await stop();
    throw new Error(error);
  }
  for (const place of places) void place.keep(assignment);
  const measure = () => Promise.all(places.map((place) => place.child.measure()));
  return { port, demoKey: words[0]?.demoKey ?? null, measure, stop };
}

/** One place among the processes, and the child that has it now. */
class Place {
  child: Child;
  private readonly logger = new Logger('Processes');
  private readonly stopping = new AbortController();

  constructor(assignment: Assignment) {
    this.child = new Child(assignment);
  }

  /** From now on, whenever the child ends, there is a next one. */
  async keep(assignment: Assignment): Promise<void> {
    for (let pauseMs = 0; ; this.child = new Child(assignment)) {
      const cause = await this.child.ended;
      if (this.stopping.signal.aborted) return;
      const { pid, servedMs } = this.child;
      pauseMs = servedMs > STEADY_MS ? 0 : Math.min(Math.max(2 * pauseMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
      this.logger.error({ message: 'a process ended, and is started again', pid, cause, pauseMs });
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
    }
  }

  /** Answers whether the child, if there was one, ended as it should. */
  stop(): Promise<boolean> {
    this.stopping.abort();
    return this.child.stop();
  }
}

class Child {
  /** Its word, or else how it ended without one. */
  readonly said: Promise<Word>;
  /** Why it ended. */
  readonly ended: Promise<string>;
  private readonly worker = cluster.fork();
  private readonly ready: Promise<void>;
  private servesSince = Infinity;
  private measuring: Promise<Measured> | undefined;

  constructor(assignment: Assignment) {
    const end = ending(this.worker);
    closeUnreached(this.worker);
    this.ready = this.word<'ready'>().then(() => this.tell(assignment));
    this.said = Promise.race([
      this.ready.then(() => this.word<Word>()),
      end.then((how) => ({ error: `a process ended while it started: ${how}` })),
    ]);
    this.ended = Promise.all([end, this.said]).then(([how, { error }]) => error ?? how);
    void this.said.then(({ error }) => {
      if (error) this.tell('stop');
      else this.servesSince = performance.now();
    });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  get servedMs(): number {
    return performance.now() - this.servesSince;
  }

  /** What it has measured; nothing while it does not serve. Those who ask at the same time get the same answer. */
  measure(): Promise<Measured> {
    if (this.servesSince === Infinity || !this.worker.isConnected()) return Promise.resolve([]);
    return (this.measuring ??= this.ask()
      .catch(() => [])
      .finally(() => (this.measuring = undefined)));
  }

  private async ask(): Promise<Measured> {
    this.tell('measure');
    const [answer] = (await once(this.worker, 'message', { signal: AbortSignal.timeout(MEASURE_MS) })) as [Answer];
    return answer.measured;
  }

  /** Answers whether it ended as it should; one that had ended before did. */
  async stop(): Promise<boolean> {
    const { worker } = this;
    if (worker.isDead()) return true;
    void this.ready.then(() => this.tell('stop'));
    const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(late);
    return worker.process.exitCode === 0;
  }

  private word<T>(): Promise<T> {
    return new Promise((resolve) => this.worker.once('message', resolve));
  }

  // That it is gone, should it be, is heard elsewhere.
  private tell(word: Assignment | 'measure' | 'stop'): void {
    this.worker.send(word, () => undefined);
  }
}

/** How a child ended. Its channel may stay half open: cluster waits for an answer about the last connection it handed over. */
function ending(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    // Of one that could not be spawned there is only an error; other errors are of words that no longer reached it.
    worker.on('error', ({ message }) => worker.process.pid === undefined && resolve(message));
  });
}

/**
 * Cluster deals connections out in turn, and forgets the one that was on its way to a child when that died: its client would
 * wait for ever. Closed, it can try again.
 */
function closeUnreached(worker: Worker): void {
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
