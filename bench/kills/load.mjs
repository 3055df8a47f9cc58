import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { now } from '../measure/clock.mjs';
import { openLoop } from '../measure/open-loop.mjs';
import { createCrowd, webhook } from '../world/crowd.mjs';

const PEOPLE = 300;
const TIMEOUT_MS = 15_000;
/** No new triggers while more is waiting: on a slow machine the queue would grow without end. */
export const MOST_WAITING = 1000;
const LOOK_MS = 250;

/** Triggers a second, of each kind. */
const RATES = { single: 40, fanout: 0.5, scheduled: 5, canceledLater: 2, canceledFanout: 0.2 };

/** Mixed load, and what was answered to it. */
export class Load {
  #processes;
  #random;
  #crowd;
  #isFull = false;
  #agent = new Agent({ connections: 64, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

  /** Triggers that were answered with 201: the number of people, and when the messages are due, on the shared clock. */
  accepted = new Map();
  /** Cancels that were answered: the time of the answer, by occurrence. */
  canceled = new Map();
  /** Triggers without an answer: their process was killed, or none was running. */
  unanswered = 0;
  /** Triggers that were left out because too much was waiting. */
  leftOut = 0;
  /** Other answers, by status. Each is unexpected. */
  refused = {};

  /**
   * @param {import('./processes.mjs').Processes} processes
   * @param {import('./random.mjs').Random} random
   */
  constructor(processes, random) {
    this.#processes = processes;
    this.#random = random;
  }

  /**
   * @param {import('../world.mjs').World} world
   * @param {import('../world/database.mjs').Database} database
   */
  async prepare(world, database, sinkUrl) {
    this.#crowd = await createCrowd(world, database, { slug: 'kills', people: PEOPLE, channel: webhook(sinkUrl) });
  }

  /**
   * @param {() => boolean} goesOn
   * @param {() => Promise<number>} waiting how much the service has still to do
   */
  async run(goesOn, waiting) {
    await Promise.all([
      this.#watch(goesOn, waiting),
      openLoop(RATES.single, goesOn, () => this.#trigger(1)),
      openLoop(RATES.fanout, goesOn, () => this.#trigger(PEOPLE)),
      openLoop(RATES.scheduled, goesOn, () => this.#trigger(1, this.#random.between(1000, 6000))),
      // Some are canceled before they are due, and some after.
      openLoop(RATES.canceledLater, goesOn, () => this.#triggerAndCancel(1, 3000, 4000)),
      openLoop(RATES.canceledFanout, goesOn, () => this.#triggerAndCancel(PEOPLE, 0, 400)),
    ]);
    await this.#agent.close();
  }

  async #watch(goesOn, waiting) {
    for (; goesOn(); await sleep(LOOK_MS)) this.#isFull = (await waiting()) > MOST_WAITING;
  }

  async #triggerAndCancel(people, delayMs, cancelWithinMs) {
    const occurrence = await this.#trigger(people, delayMs);
    if (occurrence === null) return;
    await sleep(this.#random.between(0, cancelWithinMs));
    const answer = await this.#post(`/api/o/kills/occurrences/${occurrence}/cancel/`);
    if (answer?.statusCode === 200) this.canceled.set(occurrence, now());
  }

  /** Returns the occurrence, or null if it was not accepted. */
  async #trigger(people, delayMs = 0) {
    if (this.#isFull) {
      this.leftOut++;
      return null;
    }
    const options = {};
    if (people === 1) options.limit_to = [`user${Math.floor(this.#random.between(1, PEOPLE + 1))}@kills.test`];
    if (delayMs > 0) options.send_at = new Date(Date.now() + delayMs).toISOString();
    const dueAt = now() + delayMs;
    const answer = await this.#post(this.#crowd.paths.told, { context: { order: 'A-17', total: 120 }, options });
    if (answer?.statusCode === 201) {
      this.accepted.set(answer.body.occurrence, { people, dueAt });
      return answer.body.occurrence;
    }
    if (answer) this.refused[answer.statusCode] = (this.refused[answer.statusCode] ?? 0) + 1;
    else this.unanswered++;
    return null;
  }

  async #post(path, body = {}) {
    const url = this.#random.one(this.#processes.urls());
    if (url === undefined) return null;
    const { headers } = this.#crowd;
    const options = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: this.#agent };
    try {
      const answer = await request(url + path, options);
      return { statusCode: answer.statusCode, body: await answer.body.json() };
    } catch {
      return null;
    }
  }
}
