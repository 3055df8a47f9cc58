import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { addUp } from './add-up.mjs';
import { alternate } from './alternate.mjs';
import { now } from './clock.mjs';
import { costOf } from './cost.mjs';
import { MAX_TRIES, countRefused } from './refusal.mjs';
import { rowWithCpu } from './row.mjs';

const WARM_UP_REQUESTS = 10; // per connection and second of a round
const TAIL_MS = 20;

/** The longest `Retry-After` of a busy service. autocannon does not show the headers of single answers. */
const REFUSED_MS = 5_000;

/**
 * @typedef {object} Target
 * @property {string} url
 * @property {string} [method]
 * @property {object} [headers]
 * @property {string} [body]
 * @property {() => { path: string, headers: object, body?: string }} [next] returns the next request; without it all requests are the same
 * @property {number} [status] expected status
 * @property {{ pid: number }[]} processes
 */

/**
 * Sends a fixed number of requests. Each connection sends its next request after the answer to the last one. A fixed time
 * instead of a number would end with requests in flight, whose outcome is unknown.
 * @param {Omit<Target, 'processes'>} target
 */
export async function send(target, connections, amount) {
  const { status = 200 } = target;
  const { statuses, errors, timeouts, start, lastAt } = await sendOnce(target, connections, amount);
  addUp({ [`answers ${status}`]: [statuses[status] ?? 0, amount], errors: [errors, 0], timeouts: [timeouts, 0] });
  const ms = (lastAt - start) / amount;
  return { rate: 1000 / ms, ms, start };
}

/**
 * Sends requests that are not measured until all of them were accepted. Those that a busy service refuses are sent again.
 * @param {Omit<Target, 'processes' | 'next'>} target
 */
export async function sendUntilAccepted(target, connections, amount) {
  const { status = 200 } = target;
  let left = amount;
  for (let tries = 0; left > 0 && tries < MAX_TRIES; tries++) {
    if (tries > 0) await sleep(REFUSED_MS);
    const { statuses, errors, timeouts } = await sendOnce(target, Math.min(connections, left), left);
    const accepted = statuses[status] ?? 0;
    const refused = (statuses[429] ?? 0) + (statuses[503] ?? 0);
    addUp({ [`answers ${status}`]: [accepted, left - refused], errors: [errors, 0], timeouts: [timeouts, 0] });
    countRefused(refused);
    left = refused;
  }
  if (left > 0) throw new Error(`${left} requests were refused ${MAX_TRIES} times`);
}

async function sendOnce({ url, method = 'GET', headers, body, next }, connections, amount) {
  const requests = next && [{ setupRequest: (request) => ({ ...request, ...next() }) }];
  let start = 0;
  let lastAt = 0;
  const statuses = {};
  const run = autocannon({ url, requests, method, headers, body, connections, amount, sampleInt: TAIL_MS });
  void run.on('start', () => (start = now()));
  void run.on('response', (_client, code) => {
    lastAt = now(); // autocannon's own duration is only as exact as its sampling interval
    statuses[code] = (statuses[code] ?? 0) + 1;
  });
  const { errors, timeouts } = await run;
  return { statuses, errors, timeouts, start, lastAt };
}

/** Warms up, and finds the number of requests that fill a round. */
async function amountFor(world, target, connections) {
  const first = connections * Math.ceil(WARM_UP_REQUESTS * world.size.roundSeconds);
  const cold = await send(target, connections, first);
  const second = Math.max(first, Math.round(cold.rate * world.size.roundSeconds));
  const warm = await send(target, connections, second);
  return { answered: first + second, amount: Math.max(first, Math.round(warm.rate * world.size.roundSeconds)) };
}

/**
 * @typedef {object} Comparison
 * @property {string} what
 * @property {number} connections
 * @property {number} [amount] requests in a round; without it as many as fill a round
 * @property {Target} service
 * @property {Target} floor
 */

/**
 * Measures both sides alternately.
 * @param {import('../world.mjs').World} world
 * @param {Comparison} comparison
 * @returns the samples, and how many requests of each side were answered in all
 */
export async function inTurn(world, { what, connections, amount, ...sides }) {
  const answered = {};
  const runs = {};
  for (const [side, target] of Object.entries(sides)) {
    world.progress.step(`${what}, warm-up, ${side}`);
    const warm = amount ? await warmUp(target, connections, amount) : await amountFor(world, target, connections);
    answered[side] = warm.answered;
    runs[side] = () => {
      answered[side] += warm.amount;
      return costOf(world, target.processes, warm.amount, () => send(target, connections, warm.amount));
    };
  }
  return { samples: await alternate(world, what, runs), answered };
}

async function warmUp(target, connections, amount) {
  await send(target, connections, amount);
  return { answered: amount, amount };
}

/**
 * Compares the requests per second of the service with those of its floor.
 * @param {import('../world.mjs').World} world
 * @param {Comparison & { floorIs: string }} comparison
 * @returns the row, and how many requests of each side were answered in all
 */
export async function compare(world, { floorIs, ...comparison }) {
  const { samples, answered } = await inTurn(world, comparison);
  return { row: rowWithCpu(comparison.what, '/s', 'rate', samples, floorIs), answered };
}
