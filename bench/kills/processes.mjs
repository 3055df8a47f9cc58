import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../measure/clock.mjs';

const ROLES = ['all', 'all', 'worker'];
const LOOK_MS = 10;

/** The service: three processes on one database, of which one after the other is killed and replaced. */
export class Processes {
  #world;
  #database;
  #random;
  #running = [];
  #starting = new Set();

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

  /** The address of a random running process that answers requests; undefined if there is none at the moment. */
  url() {
    return this.#random.one(this.#running.filter(({ role }) => role === 'all'))?.url;
  }

  /** Kills a random process about every `everyMs`, as long as another one is running. */
  async kill(count, everyMs, killed) {
    while (this.kills.length < count) {
      await sleep(everyMs * this.#random.between(2 / 3, 4 / 3));
      while (this.#running.length < 2) await sleep(LOOK_MS);
      const victim = this.#random.one(this.#running);
      this.#running.splice(this.#running.indexOf(victim), 1);
      this.kills.push(now());
      victim.kill();
      const replaced = this.#start(victim.role).finally(() => this.#starting.delete(replaced));
      this.#starting.add(replaced);
      killed(this.kills.length);
    }
    await Promise.all(this.#starting);
  }

  async #start(role) {
    this.#running.push(await this.#world.killable(role, this.#database));
  }
}
