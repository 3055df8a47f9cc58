import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../config/root.js';
import type { RenderAnswer, RenderJob, RenderResult } from './render-result.js';

/*
 * A process, not a worker thread. A thread's `resourceLimits` do not protect the process it lives in: of eleven ways to
 * fill its memory, nine (a long string, a long array, `split`, `concat`) aborted all of Node instead of the thread.
 */

// Also when we run from `src`: a process cannot load TypeScript.
const ENTRY = join(root, 'dist', 'render', 'render-process.js');

export interface ChildLimits {
  /** A process that says nothing for so long is killed. */
  killMs: number;
  memoryMb: number;
}

/** How a job ended: all or some of its results came, or the process was killed or died over one of the others. */
export type Ending = 'done' | 'killed' | 'died';

interface Listener {
  answer(answer: RenderAnswer): void;
  gone(): void;
}

/** One render process, started when it is needed and again when it died. It does one job at a time. */
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

  async run(job: RenderJob, onResults: (results: RenderResult[]) => void): Promise<Ending> {
    const child = this.#process ?? (await this.#start());
    const watch = new Watch(this.#limits.killMs, () => child.kill('SIGKILL'));
    const ending = new Promise<Ending>((resolve) => {
      this.#listener = {
        answer: (answer) => {
          watch.seen();
          if (answer === 'done') resolve('done');
          else if (answer !== 'ready') onResults(answer);
        },
        gone: () => resolve(watch.fired ? 'killed' : 'died'),
      };
    });
    hold(child, true);
    child.send(job, () => undefined);
    return ending.finally(() => {
      watch.stop();
      hold(child, false);
    });
  }

  async close(): Promise<void> {
    if (!this.#process) return;
    hold(this.#process, true);
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

/** An idle process does not keep ours from ending. */
function hold(child: ChildProcess, holds: boolean): void {
  if (holds) child.ref();
  else child.unref();
  if (holds) child.channel?.ref();
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

/** Ended, and everything that it had said is heard: either may come first. */
async function ended(child: ChildProcess): Promise<void> {
  const failed = new Promise((resolve) => child.on('error', () => child.pid === undefined && resolve(null)));
  await Promise.race([failed, Promise.all([once(child, 'exit'), once(child, 'disconnect')])]);
}

function once(child: ChildProcess, event: 'exit' | 'disconnect'): Promise<void> {
  return new Promise((resolve) => child.once(event, () => resolve()));
}

/** Fires when nothing was seen for a while. */
class Watch {
  fired = false;
  #seen = false;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, fire: () => void) {
    this.#timer = setTimeout(() => {
      this.#seen = false;
      // When our own process was the busy one, the answers are there and only wait to be read: read them first.
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
