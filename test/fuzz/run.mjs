import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../bench/torture/random.mjs';
import { createKeys } from '../../bench/world/keys.mjs';
import { readContract } from './check/contract.mjs';
import { hints } from './generate/hints.mjs';
import { Requests } from './generate/request.mjs';
import { Memory, growthProblem } from './memory.mjs';
import { Client } from './play/client.mjs';
import { playEpisode } from './play/episode.mjs';
import { playRace } from './play/race.mjs';
import { playRaw } from './play/raw.mjs';
import { playSequence } from './play/sequences.mjs';
import { Session } from './play/session.mjs';
import { Tenant } from './play/tenant.mjs';
import { findingText } from './report.mjs';
import { Results } from './results.mjs';

/** The first part of a run fills the caches of the service, before its memory counts as the start. */
const WARM_UP = 0.05;
const RACES = 4;
/** Of each tenant. To make and remove one costs as much as hundreds of requests. */
const SEQUENCES = 6;
const EPISODES = 75;

/**
 * Sends requests until the time or their number is used up.
 * @param {import('../../bench/world.mjs').World} world
 * @param {ReturnType<import('./options.mjs').readOptions>} options
 * @param {any} document the contract
 */
export async function run(world, options, document, progress) {
  progress.step('starting the service');
  const database = await world.database('fuzz');
  const sink = await world.sink('http');
  const [operator] = await createKeys(database, [null]);
  const services = [];
  for (let n = 0; n < options.processes; n++)
    services.push(await world.all(database, { flags: ['--inspect=127.0.0.1:0'] }));
  const play = new Play(options, document, database, sink.facts.url, operator, services, progress);
  try {
    return await play.run();
  } finally {
    await play.close();
  }
}

class Play {
  #tenants = 0;
  #startedAt = Date.now();
  #pausedMs = 0;

  constructor(options, document, database, sinkUrl, operator, services, progress) {
    Object.assign(this, { options, database, sinkUrl, services, progress });
    this.operator = { authorization: operator.authorization };
    this.operations = readContract(document);
    this.results = new Results((finding) => console.error(findingText(finding)));
    const resolve = (ref) =>
      ref
        .split('/')
        .slice(1)
        .reduce((node, step) => node[step], document);
    this.requests = new Requests(this.operations, { resolve, hints: hints({ sinkUrl }) }, options.seed);
    const byId = new Map(this.operations.map((each) => [each.id, each]));
    const urls = services.map(({ url }) => url);
    // Processes learn of each other's changes within five seconds, so a client that expects a status stays with one process.
    this.clients = urls.map((url) => new Client([url]));
    this.sessions = this.clients.map((client) => new Session(client, byId, this.results));
    this.clients.push(new Client(urls));
    this.everywhere = new Session(this.clients.at(-1), byId, this.results);
  }

  async close() {
    await Promise.all(this.clients.map((client) => client.close()));
  }

  async run() {
    const memory = new Memory(this.services[0]);
    this.#startedAt = Date.now();
    this.progress.step('sending requests');
    const playing = Promise.all([this.#races(), ...Array.from({ length: this.options.clients }, () => this.#play())]);
    await this.#until(WARM_UP);
    const start = await this.#rest(memory);
    await this.#until(0.5);
    const middle = await this.#rest(memory);
    await playing;
    const seconds = this.#seconds();
    const end = await this.#rest(memory);
    const growth = growthProblem(middle, end);
    if (growth) this.results.add({ kind: 'memory', text: growth }, { id: 'memory' }, null);
    return { results: this.results, operations: this.operations, seconds, memory: { start, middle, end } };
  }

  /** How much of the run is over, from 0 to 1. */
  #share() {
    return Math.max(this.results.requests / this.options.requests, this.#seconds() / this.options.seconds);
  }

  #seconds() {
    return (Date.now() - this.#startedAt - this.#pausedMs) / 1000;
  }

  /** Measures while nobody sends. The clients keep their tenants. */
  async #rest(memory) {
    const startedAt = Date.now();
    const measured = memory.measure();
    for (const session of [...this.sessions, this.everywhere]) session.resting = measured.catch(() => undefined);
    const figures = await measured;
    this.#pausedMs += Date.now() - startedAt;
    return figures;
  }

  async #until(share) {
    while (this.#share() < share) await sleep(200);
  }

  async #play() {
    const isOver = () => this.#share() >= 1;
    while (!isOver()) {
      const number = this.#tenants++;
      const random = new Random(this.options.seed + number * 7919);
      const place = number % this.services.length;
      const tenant = new Tenant(this.sessions[place], `fuzz-${number}`, this.operator, this.sinkUrl);
      await tenant.create();
      // Before random requests change the tenant: then no status would be certain.
      for (let n = 0; n < SEQUENCES && !isOver(); n++) await playSequence(tenant, random);
      const { url } = this.services[place];
      for (let n = 0; n < EPISODES && !isOver(); n++) {
        await playEpisode(tenant, this.requests, random, isOver);
        await playRaw(url, tenant.slug, this.operator.authorization, random, this.results);
        const { requests, findings } = this.results;
        this.progress.note(
          `${requests.toLocaleString('en')} requests in ${this.#seconds().toFixed(0)} s, ${findings.size} findings`,
        );
      }
      await tenant.remove();
    }
  }

  /** Races now and then, while the others go on. */
  async #races() {
    for (let n = 0; n < RACES; n++) {
      await this.#until((n + 1) / (RACES + 1));
      const tenant = new Tenant(this.sessions[0], `race-${n}`, this.operator, this.sinkUrl);
      await tenant.create();
      tenant.session = this.everywhere;
      await playRace(tenant, this.database, this.options.seed + n * 1000);
      await tenant.remove();
    }
  }
}
