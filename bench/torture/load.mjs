import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { now } from '../measure/clock.mjs';
import { openLoop } from '../measure/open-loop.mjs';
import { PEOPLE } from './crowds.mjs';

const TIMEOUT_MS = 15_000;
/** No new triggers while more is waiting: on a slow machine the queue would grow without end. */
export const MOST_WAITING = 1000;
/** Nor while more triggers have no answer. */
const MOST_WITHOUT_ANSWER = 200;
const LOOK_MS = 500;
const CANCEL_TRIES = 5;
const LAST_TRIES_MS = 120_000;

/** A second, of each kind. */
const RATES = { single: 24, fanOut: 0.2, scheduled: 3, canceledLater: 1, canceledFanOut: 0.1, retried: 0.5 };
/** The share of accepted triggers that are sent a second time with their idempotency key. */
const SENT_TWICE = 0.05;

/** Mixed load. Writes what was answered into the ledger. */
export class Load {
  #processes;
  #random;
  #ledger;
  #crowds;
  #isFull = false;
  #goesOn = () => false;
  #count = 0;
  #waiting = new Map();
  #agent = new Agent({ connections: 64, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

  /**
   * @param {import('./processes.mjs').Processes} processes
   * @param {import('./random.mjs').Random} random
   * @param {import('./ledger.mjs').Ledger} ledger
   * @param {{ slug: string, headers: object }[]} crowds
   */
  constructor(processes, random, ledger, crowds) {
    this.#processes = processes;
    this.#random = random;
    this.#ledger = ledger;
    this.#crowds = crowds;
  }

  /** Triggers without an answer so far. */
  get withoutAnswer() {
    return this.#waiting.size;
  }

  /**
   * @param {() => boolean} goesOn
   * @param {() => Promise<number>} waiting how much the service has still to do
   */
  async run(goesOn, waiting) {
    this.#goesOn = goesOn;
    await Promise.all([
      this.#watch(goesOn, waiting),
      openLoop(RATES.single, goesOn, () => this.#single()),
      openLoop(RATES.fanOut, goesOn, () => this.#trigger('told', PEOPLE)),
      openLoop(RATES.scheduled, goesOn, () => this.#trigger('told', 1, this.#random.between(1000, 6000))),
      // Some are canceled before they are due, and some after.
      openLoop(RATES.canceledLater, goesOn, () => this.#triggerAndCancel(1, 3000, 4000)),
      openLoop(RATES.canceledFanOut, goesOn, () => this.#triggerAndCancel(PEOPLE, 0, 400)),
      openLoop(RATES.retried, goesOn, () => this.#triggerAndRetry()),
    ]);
  }

  /** Sends every trigger without an answer again, with its key, until each has one. Call it when all faults are over. */
  async settleKeys() {
    for (const deadline = Date.now() + LAST_TRIES_MS; this.#waiting.size > 0 && Date.now() < deadline; await sleep(200))
      await Promise.all([...this.#waiting.values()].map((trigger) => this.#send(trigger, 1)));
  }

  /** Retries dead deliveries of an occurrence. */
  async retry(organization, occurrence) {
    const answer = await this.#post(organization, `/api/o/${organization}/occurrences/${occurrence}/retry/`);
    if (answer?.statusCode === 200 || answer?.statusCode === 202) this.#ledger.retried++;
    else this.#ledger.fail('retry', answer);
  }

  close() {
    return this.#agent.close();
  }

  async #watch(goesOn, waiting) {
    for (; goesOn(); await sleep(LOOK_MS)) this.#isFull = (await waiting()) > MOST_WAITING;
  }

  async #single() {
    const trigger = await this.#trigger('told', 1);
    if (trigger === null || this.#random.between(0, 1) > SENT_TWICE) return;
    await sleep(this.#random.between(0, 3000));
    this.#ledger.resent++;
    await this.#send(trigger, 1);
  }

  async #triggerAndCancel(people, delayMs, cancelWithinMs) {
    const trigger = await this.#trigger('told', people, delayMs);
    if (trigger === null) return;
    await sleep(this.#random.between(0, cancelWithinMs));
    const { organization, key } = trigger;
    const occurrence = this.#ledger.keys.get(key);
    this.#ledger.cancelTried.add(occurrence);
    for (let tries = 0; tries < CANCEL_TRIES; tries++, await sleep(500)) {
      const answer = await this.#post(organization, `/api/o/${organization}/occurrences/${occurrence}/cancel/`);
      if (answer?.statusCode === 200) return void this.#ledger.canceled.set(occurrence, now());
      if (answer?.statusCode === 409) return; // all of it was sent before
      this.#ledger.fail('cancel', answer);
    }
  }

  /** The provider refuses the message, and somebody retries it. */
  async #triggerAndRetry() {
    const trigger = await this.#trigger('picky', 1);
    if (trigger === null) return;
    const { organization, key } = trigger;
    const occurrence = this.#ledger.keys.get(key);
    await sleep(this.#random.between(200, 3000));
    await this.retry(organization, occurrence);
  }

  /** Returns the trigger, or null if it was not accepted. */
  async #trigger(event, people, delayMs = 0) {
    if (this.#isFull || this.#waiting.size > MOST_WITHOUT_ANSWER || this.#processes.urls().length === 0) {
      this.#ledger.leftOut++;
      return null;
    }
    const organization = this.#random.one(this.#crowds).slug;
    const options = {};
    if (people === 1)
      options.limit_to = [`user${Math.floor(this.#random.between(1, PEOPLE + 1))}@${organization}.test`];
    if (delayMs > 0) options.send_at = new Date(Date.now() + delayMs).toISOString();
    const body = { context: { order: 'A-17', total: 120 }, options };
    const trigger = { key: `${++this.#count}`, organization, event, people, body, dueAt: now() + delayMs };
    return (await this.#send(trigger, Infinity)) ? trigger : null;
  }

  /** Sends a trigger again until it is accepted, as often as `tries` says and as long as the load goes on. */
  async #send(trigger, tries) {
    const { key, organization, event, people, body } = trigger;
    const path = `/api/o/${organization}/p/p/a/a/e/${event}/trigger/`;
    for (let tried = 0; tried < tries && (tried === 0 || this.#goesOn()); tried++) {
      if (tried > 0) await sleep(this.#random.between(500, 1500));
      if (this.#waiting.has(key)) this.#ledger.resent++;
      // A trigger that came late into the service is not late in the service.
      const dueAt = Math.max(trigger.dueAt, now());
      const answer = await this.#post(organization, path, body, { 'idempotency-key': key });
      if (answer?.statusCode === 201) {
        const acceptedAt = now();
        this.#waiting.delete(key);
        this.#ledger.accept(key, answer.body.occurrence, { organization, people, dueAt, acceptedAt });
        return true;
      }
      this.#ledger.fail('trigger', answer);
      if (!this.#ledger.keys.has(key)) this.#waiting.set(key, trigger);
    }
    return false;
  }

  async #post(organization, path, body = {}, more = {}) {
    const url = this.#random.one(this.#processes.urls());
    if (url === undefined) return null;
    const headers = { ...this.#crowds.find(({ slug }) => slug === organization).headers, ...more };
    const options = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: this.#agent };
    try {
      const answer = await request(url + path, options);
      return { statusCode: answer.statusCode, body: await answer.body.json() };
    } catch {
      return null;
    }
  }
}
