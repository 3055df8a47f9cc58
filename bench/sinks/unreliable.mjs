// Accepts webhooks after a short time, and answers about 5% of the calls with 503.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { now } from '../measure/clock.mjs';
import { answerParent, options } from '../world/parent.mjs';

const ANSWER_MS = 20;
// For the test of `npm run kills`: the message that is accepted as this number is not counted.
const LOST = Number(process.env.BENCH_SINK_LOSES ?? 0);

/** The calls for each message, by its webhook-id: when, and the status of the answer. */
const calls = new Map();
let count = 0;
let accepted = 0;

/**
 * How many calls for a message fail: 0, 1 or 2. The id decides, so no message fails again and again: the third retry would be due
 * after five minutes.
 */
function failuresOf(id) {
  const number = createHash('sha1').update(`${options.seed} ${id}`).digest().readUInt32BE() % 1000;
  if (number < 8) return 2;
  return number < 44 ? 1 : 0;
}

function answer(id) {
  const earlier = calls.get(id) ?? [];
  const status = earlier.length < failuresOf(id) ? 503 : 200;
  count++;
  if (status === 200 && ++accepted === LOST) return status;
  calls.set(id, [...earlier, [now(), status]]);
  return status;
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.statusCode = answer(request.headers['webhook-id']);
    setTimeout(() => response.end(), ANSWER_MS);
  });
});
server.keepAliveTimeout = 0;

server.listen(0, '127.0.0.1', () => {
  const facts = { url: `http://127.0.0.1:${server.address().port}/` };
  answerParent({ count: () => count, calls: () => [...calls] }, facts);
});
