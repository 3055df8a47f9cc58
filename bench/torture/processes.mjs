import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../measure/clock.mjs';
import { median } from '../measure/statistics.mjs';

export const ROLES = ['all', 'all', 'worker'];
const LOOK_MS = 20;
const AGAIN_MS = 500;
const PATIENCE_MS = 600_000;

/** The service: three processes on one database. Each is started again when it has ended, as an init system would do it. */
export class Processes {
  #world;
  #urls;
  #random;
  #running = ROLES.map(() => null);
  #startedIn = [];
  #isOver = false;

  /** Starts that failed, because PostgreSQL was away. */
  failedStarts = 0;
  /** The last words of processes that ended although nobody killed them. */
  deserters = [];

  /**
   * @param {import('../world.mjs').World} world
   * @param {string[]} urls of the database, one for each process
   * @param {import('./random.mjs').Random} random
   */
  constructor(world, urls, random) {
    this.#world = world;
    this.#urls = urls;
    this.#random = random;
  }

  async start() {
    ROLES.forEach((_, slot) => void this.#keepRunning(slot));
    await this.allRunning();
  }

  /** The addresses of the running processes that answer requests. */
  urls() {
    return this.#running.filter((each) => each?.role === 'all').map(({ url }) => url);
  }

  /** Kills a random process, but never the last one: on a slow machine, no process would live long enough to do anything. */
  async kill() {
    while (this.#running.filter((each) => each !== null).length < 2) await sleep(LOOK_MS);
    const victim = await this.#one();
    victim.isKilled = true;
    this.#running[this.#running.indexOf(victim)] = null;
    const at = now();
    victim.child.kill('SIGKILL');
    return { role: victim.role, at };
  }

  /** Stops a random process. `resume` lets it go on. */
  async stop() {
    const victim = await this.#one();
    victim.child.kill('SIGSTOP');
    return { role: victim.role, resume: () => victim.child.kill('SIGCONT') };
  }

  async allRunning() {
    for (const deadline = Date.now() + PATIENCE_MS; this.#running.includes(null); await sleep(LOOK_MS))
      if (Date.now() > deadline) throw new Error('a process of the service does not start any more');
  }

  /** Processes that end from now on are not started again. */
  over() {
    this.#isOver = true;
  }

  /** The median time until a process was ready, a sign of how busy the machine was. */
  startSeconds() {
    return median(this.#startedIn) / 1000;
  }

  async #one() {
    for (;;) {
      const running = this.#running.filter((each) => each !== null);
      if (running.length > 0) return this.#random.one(running);
      await sleep(LOOK_MS);
    }
  }

  async #keepRunning(slot) {
    while (!this.#isOver) {
      const startedAt = now();
      const service = await this.#world.mortal(ROLES[slot], this.#urls[slot]).catch(() => null);
      if (service === null) {
        this.failedStarts++;
        await sleep(AGAIN_MS);
        continue;
      }
      this.#startedIn.push(now() - startedAt);
      const running = { ...service, role: ROLES[slot], isKilled: false };
      this.#running[slot] = running;
      const { child } = service;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      this.#running[slot] = null;
      if (!running.isKilled && !this.#isOver) this.deserters.push(`${running.role}: ${service.lastWords()}`);
    }
  }
}
