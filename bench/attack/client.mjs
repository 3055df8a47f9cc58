import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { now } from '../measure/clock.mjs';
import { openLoop } from '../measure/open-loop.mjs';

// A connection for each request that is under way.
const agent = new Agent({ pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });
const PAUSE_MS = 50;

/** The attacker's requests, and how often it got each answer. */
export class Client {
  #target;
  #endAt;
  answers = {};

  /** @param {import('./attacks.mjs').Target} target */
  constructor(target) {
    this.#target = target;
    this.#endAt = now() + target.seconds * 1000;
  }

  get goesOn() {
    return now() < this.#endAt;
  }

  note(answer) {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }

  send(path, body, method = body === undefined ? 'GET' : 'POST') {
    return this.#request(path, { method, headers: this.#target.headers, body: body && JSON.stringify(body) });
  }

  /** As somebody without a key: a provider, for one. */
  post(path, { headers, body }) {
    return this.#request(path, { method: 'POST', headers, body });
  }

  async #request(path, options) {
    try {
      const answer = await request(this.#target.url + path, { ...options, dispatcher: agent });
      this.note(answer.statusCode);
      for await (const _chunk of answer.body); // reads everything; `dump` would leave after 128 KB
    } catch (error) {
      this.note(error.code ?? error.message);
    }
  }

  /** Sends so many requests a second until the end of the attack. */
  async rate(perSecond, send) {
    await openLoop(perSecond, () => this.goesOn, send);
    return this.answers;
  }

  /** Does the same `count` times at once, again and again until the end of the attack. */
  async together(count, work) {
    const again = async () => {
      for (; this.goesOn; await sleep(PAUSE_MS)) await work(this);
    };
    await Promise.race([
      Promise.all(Array.from({ length: count }, again)),
      sleep(Math.max(this.#endAt - now(), 0), undefined),
    ]);
    return this.answers;
  }
}
