import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TemplateReport } from '../template/template-fields.js';
import type { InspectJob, RenderAnswer, RenderJob, RenderResult } from './render-result.js';

/*
 * A process, not a worker thread: the `resourceLimits` of a thread do not protect its process. Of eleven ways to fill the
 * memory, nine (a long string, a long array, `split`, `concat`) aborted the whole process instead of the thread.
 */

const ENTRY = fileURLToPath(new URL('./render-process.js', import.meta.url));

export interface ChildLimits {
  /** The process is killed after this time without an answer. */
  killMs: number;
  memoryMb: number;
}

/** How a job ended: with all or some of its results, or the process was killed or died at one of the messages. */
export type Ending = 'done' | 'killed' | 'died';

export type AnswerTo<Job> = Job extends InspectJob ? TemplateReport : RenderResult[];

interface Listener {
  answer(answer: RenderAnswer): void;
  gone(): void;
}

/** One render process. It starts when it is first needed and again after it died, and does one job at a time. */
export class RenderChild {
  readonly #limits: ChildLimits;
  #process: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #listener: Listener | null = null;

  constructor(limits: ChildLimits) {
    this.#limits = limits;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async run<Job extends RenderJob | InspectJob>(job: Job, onAnswer: (answer: AnswerTo<Job>) => void): Promise<Ending> {
    const child = this.#process ?? (await this.#start());
    const watchdog = new Watchdog(this.#limits.killMs, () => child.kill('SIGKILL'));
    const ending = new Promise<Ending>((resolve) => {
      this.#listener = {
        answer: (answer) => {
          watchdog.seen();
          if (answer === 'done') resolve('done');
          else if (answer !== 'ready') onAnswer(answer as AnswerTo<Job>);
        },
        gone: () => resolve(watchdog.fired ? 'killed' : 'died'),
      };
    });
    keepAlive(child, true);
    child.send(job, () => undefined);
    return ending.finally(() => {
      watchdog.stop();
      keepAlive(child, false);
    });
  }

  async close(): Promise<void> {
    if (!this.#process) return;
    keepAlive(this.#process, true);
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  async #start(): Promise<ChildProcess> {
    const child = startProcess(this.#limits.memoryMb);
    this.#process = child;
    this.#ended = ended(child).then(() => {
      this.#process = null;
      this.#listener?.gone();
    });
    const ready = await new Promise<boolean>((resolve) => {
      this.#listener = { answer: () => resolve(true), gone: () => resolve(false) };
      child.on('message', (answer: RenderAnswer) => this.#listener?.answer(answer));
    });
    if (!ready) throw new Error(`the render process did not start: ${ENTRY}, ${child.exitCode ?? child.signalCode}`);
    return child;
  }
}

/** An idle render process must not keep our process alive. */
function keepAlive(child: ChildProcess, isBusy: boolean): void {
  if (isBusy) child.ref();
  else child.unref();
  if (isBusy) child.channel?.ref();
  else child.channel?.unref();
}

function startProcess(memoryMb: number): ChildProcess {
  return fork(ENTRY, [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
}

/** Resolves when the process has ended and all its answers were received; either may happen first. */
async function ended(child: ChildProcess): Promise<void> {
  const failed = new Promise((resolve) => child.on('error', () => child.pid === undefined && resolve(null)));
  await Promise.race([failed, Promise.all([once(child, 'exit'), once(child, 'disconnect')])]);
}

function once(child: ChildProcess, event: 'exit' | 'disconnect'): Promise<void> {
  return new Promise((resolve) => child.once(event, () => resolve()));
}

/** Calls `fire` when nothing was received for a while. */
class Watchdog {
  fired = false;
  #seen = false;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, fire: () => void) {
    this.#timer = setTimeout(() => {
      this.#seen = false;
      // If our own process was busy, answers may be waiting. Read them first.
      setImmediate(() => {
        this.fired = !this.#seen;
        if (this.fired) fire();
      });
    }, ms);
  }

  seen(): void {
    this.#seen = true;
    this.#timer.refresh();
  }

  stop(): void {
    this.#seen = true;
    clearTimeout(this.#timer);
  }
}
