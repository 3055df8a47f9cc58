import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../measure/clock.mjs';
import { median } from '../measure/statistics.mjs';

const ROLES = ['all', 'all', 'worker'];
const LOOK_MS = 10;

/** The service: three processes on one database, of which one after the other is killed and replaced. */
export class Processes {
  #world;
  #database;
  #random;
  #running = [];
  #starting = new Set();
  #startedIn = [];

  /** The times of the kills so far, on the shared clock. */
  kills = [];

  /**
   * @param {import('../world.mjs').World} world
   * @param {import('../world/database.mjs').Database} database
   * @param {import('./random.mjs').Random} random
   */
  constructor(world, database, random) {
    this.#world = world;
    this.#database = database;
    this.#random = random;
  }

  async start() {
    for (const role of ROLES) await this.#start(role);
  }

  /** The addresses of the running processes that answer requests. */
  urls() {
    return this.#answering().map(({ url }) => url);
  }

  #answering() {
    return this.#running.filter(({ role }) => role === 'all');
  }

  /** Kills a random process about every `everyMs`. Waits until another one can answer requests. */
  async kill(count, everyMs, killed) {
    while (this.kills.length < count) {
      await sleep(everyMs * this.#random.between(2 / 3, 4 / 3));
      while (this.#running.length < 2 || this.#answering().length === 0) await sleep(LOOK_MS);
      const spared = this.#answering().length === 1 ? this.#answering()[0] : null;
      const victim = this.#random.one(this.#running.filter((each) => each !== spared));
      this.#running.splice(this.#running.indexOf(victim), 1);
      this.kills.push(now());
      victim.kill();
      const replaced = this.#start(victim.role).finally(() => this.#starting.delete(replaced));
      this.#starting.add(replaced);
      killed(this.kills.length);
    }
  }

  async allRunning() {
    await Promise.all(this.#starting);
  }

  /** The median time until a process was ready, a sign of how busy the machine was. */
  startSeconds() {
    return median(this.#startedIn) / 1000;
  }

  async #start(role) {
    const startedAt = now();
    this.#running.push(await this.#world.killable(role, this.#database));
    this.#startedIn.push(now() - startedAt);
  }
}
