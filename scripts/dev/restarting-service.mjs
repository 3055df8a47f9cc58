import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CHILD = join(import.meta.dirname, 'child.mjs');
/** For requests in flight. Work of the queue that is cut off is done again. */
const STOP_MS = 500;
const LOOK_MS = 25;

/**
 * The service, in a process that a new one replaces at each restart. The next process waits with all libraries loaded, which are two thirds of
 * the CPU time of a start.
 */
export class RestartingService {
  #url;
  #env;
  #current;
  #next;
  #turn = Promise.resolve();
  #isStopping = false;

  constructor(url, env) {
    this.#url = url;
    this.#env = { ...process.env, ...env };
    this.#next = this.#fork();
  }

  start() {
    this.#turn = this.#turn.then(() => this.#replace());
  }

  restart(names) {
    const since = performance.now();
    this.#turn = this.#turn.then(async () => {
      if (this.#isStopping || !(await this.#replace())) return;
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      console.error(`carillon: restarted in ${seconds} s after a change of ${names.slice(0, 3).join(', ')}`);
    });
  }

  async stop() {
    this.#isStopping = true;
    this.#next.kill('SIGKILL');
    await end(this.#current);
  }

  /** Returns whether the new process serves requests. */
  async #replace() {
    const next = this.#next;
    next.send('load'); // while the old one stops
    await end(this.#current);
    this.#current = next;
    next.send('start');
    const isUp = await this.#isUp(next);
    if (!this.#isStopping) this.#next = this.#fork();
    return isUp;
  }

  async #isUp(child) {
    while (isRunning(child)) {
      const { ok } = await fetch(`${this.#url}/health/live`).catch(() => ({ ok: false }));
      if (ok) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }

  #fork() {
    return fork(CHILD, { env: this.#env });
  }
}

const isRunning = (child) => child.exitCode === null && child.signalCode === null;

async function end(child) {
  if (!child || !isRunning(child)) return;
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
}
