import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from './world/database.mjs';
import { Part } from './world/part.mjs';
import { runCarillon, startService } from './world/service.mjs';

const STOP_MS = 10_000;

const running = new Set();
// The last resort: no child process outlives this one.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** The environment of one scenario: its databases, service processes, sinks and floors. */
export class World {
  #postgres;
  #databases = new Map();
  #children = [];
  #closing = false;
  #stopped = new Set();
  #services = 0;

  /**
   * @param {import('./world/postgres.mjs').Postgres} postgres
   * @param {typeof import('./size.mjs').FULL} size
   * @param {import('./report/progress.mjs').Progress} progress
   */
  constructor(postgres, size, progress) {
    this.#postgres = postgres;
    this.size = size;
    this.progress = progress;
    /** More environment variables of processes of the service. @type {Record<string, string>} */
    this.settings = {};
    /** Rejects as soon as a process ends unexpectedly. */
    this.broken = new Promise((_resolve, reject) => (this.#break = reject));
    this.broken.catch(() => undefined);
  }

  #break;

  /** For files of the scenario. It is removed at the end. */
  get folder() {
    return this.#postgres.folder;
  }

  get postgresLog() {
    return join(this.#postgres.dataDir, 'postgres', 'postgres.log');
  }

  get postgresPid() {
    return this.#postgres.pid;
  }

  async database(name = 'bench') {
    const database = await Database.connect(await this.#postgres.create(name));
    this.#databases.set(name, database);
    return database;
  }

  /** @param {Database} database */
  api(database) {
    return this.#service('api', database);
  }

  /** @param {Database} database */
  worker(database) {
    return this.#service('worker', database);
  }

  /**
   * One process with both roles.
   * @param {Database} database
   * @param {{ settings?: Record<string, string>, flags?: string[] }} more environment variables, and flags of Node
   */
  all(database, more = {}) {
    return this.#service('all', database, undefined, more);
  }

  /** Stops a service process before the scenario ends. */
  async stop({ child }) {
    this.#stopped.add(child);
    await stop(child);
  }

  /**
   * A service process that may end at any time: the caller watches it.
   * @param {'all' | 'worker'} role
   * @param {string} url of the database
   */
  async mortal(role, url) {
    let child;
    try {
      const started = (of) => (child = of);
      return await this.#service(role, { url }, () => true, { started });
    } catch (error) {
      child?.kill('SIGKILL'); // a late start must not be one more process
      throw error;
    }
  }

  /** The network between processes of the service and PostgreSQL. */
  network(lines) {
    return this.#part('torture/faults/network.mjs', { port: Number(new URL(this.#postgres.urlOf('')).port), lines });
  }

  /** @param {string} name of an attack */
  attacker(name) {
    return this.#part('attack/attacker.mjs', { name });
  }

  /** @param {'http' | 'smtp' | 'push' | 'unreliable'} kind */
  sink(kind, options = {}) {
    return this.#part(`sinks/${kind}.mjs`, options);
  }

  floor(kind, options = {}) {
    return this.#part(`floors/${kind}.mjs`, options);
  }

  carillon(database, args, input = '') {
    return runCarillon(args, database.url, { input, settings: this.settings }, (child) => this.#adopt(child));
  }

  /** Makes every database write its postponed changes now. */
  async calm() {
    for (const database of this.#databases.values()) await database.calm();
  }

  async close() {
    this.#closing = true;
    await Promise.all(this.#children.map(stop));
    for (const [name, database] of this.#databases) {
      await database.close();
      await this.#postgres.drop(name);
    }
  }

  async #service(role, database, isExpected, { settings, flags, started = () => undefined } = {}) {
    const logFile = join(this.#postgres.folder, `${role}-${++this.#services}.log`);
    const lastWords = () => readFileSync(logFile, 'utf8').split('\n').slice(-4).join('\n');
    const describe = () => `the ${role}: ${lastWords()}`;
    const watch = (child) => {
      started(child);
      this.#watch(child, describe, isExpected);
    };
    const all = { ...this.settings, ...settings };
    return { ...(await startService(role, database.url, logFile, { settings: all, flags }, watch)), lastWords };
  }

  #part(file, options) {
    return Part.start(file, options, (child) => this.#watch(child, () => file));
  }

  #adopt(child) {
    this.#children.push(child);
    running.add(child);
    child.once('exit', () => running.delete(child));
    if (this.#closing) child.kill('SIGKILL'); // a stopped scenario may still start processes
  }

  #watch(child, describe, isExpected = () => false) {
    this.#adopt(child);
    child.once('exit', (code, signal) => {
      if (!this.#closing && !this.#stopped.has(child) && !isExpected())
        this.#break(new Error(`ended with ${code ?? signal}: ${describe()}`));
    });
  }
}

async function stop(child) {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = sleep(STOP_MS, 'late', { ref: false });
  if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
  await ended;
}
