import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { now } from '../measure/clock.mjs';
import { openLoop, openLoopAgent } from '../measure/open-loop.mjs';
import { percentile } from '../measure/statistics.mjs';
import { trigger } from '../world/crowd.mjs';

const TRIGGERS_PER_SECOND = 20;
const READS_PER_SECOND = 20;
/** A message that has not arrived this long after the last trigger counts as lost. */
const LOST_MS = 30_000;
const LOOK_MS = 50;

/** @typedef {{ p50: number, p99: number }} Delays in milliseconds; Infinity for what was refused or lost */

/** The tenant that must not notice the attack: it triggers for one user and reads one user, at a steady rate. */
export class Quiet {
  #service;
  #crowd;
  #sink;
  #agent = openLoopAgent();

  /** @param {import('../world/part.mjs').Part} sink its receiver */
  constructor(service, crowd, sink) {
    this.#service = service;
    this.#crowd = crowd;
    this.#sink = sink;
  }

  /** @returns {Promise<{ triggers: Delays, reads: Delays }>} triggers until their message arrived, reads until their last byte */
  async measure(seconds) {
    await this.#sink.ask('reset');
    const load = (perSecond, send) => openLoop(perSecond, (sent) => sent < perSecond * seconds, send);
    const [sent, reads] = await Promise.all([
      load(TRIGGERS_PER_SECOND, () => trigger(this.#service, this.#crowd, this.#agent).catch(() => null)),
      load(READS_PER_SECOND, () => this.#read()),
    ]);
    return { triggers: delays(await this.#arrivals(sent)), reads: delays(reads) };
  }

  async #read() {
    const startedAt = now();
    const options = { headers: this.#crowd.headers, dispatcher: this.#agent };
    try {
      const { statusCode, body } = await request(this.#service.url + this.#crowd.paths.user, options);
      await body.dump();
      return statusCode === 200 ? now() - startedAt : Infinity;
    } catch {
      return Infinity;
    }
  }

  async #arrivals(sent) {
    const accepted = sent.filter(Boolean).length;
    for (const endAt = now() + LOST_MS; now() < endAt; await sleep(LOOK_MS))
      if ((await this.#sink.ask('received')) >= accepted) break;
    const arrivals = new Map(await this.#sink.ask('occurrences'));
    return sent.map((each) => (arrivals.get(each?.occurrence)?.at ?? Infinity) - (each?.sentAt ?? 0));
  }
}

const delays = (values) => ({ p50: percentile(values, 50), p99: percentile(values, 99) });
