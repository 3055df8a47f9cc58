// Receives the webhooks of several organizations, at `/organization/channel`. About 5% of the calls fail, some in a nasty way. Can be
// told to misbehave for an organization for a while.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { now } from '../measure/clock.mjs';
import { answerParent, options } from '../world/parent.mjs';

const ANSWER_MS = 20;
// For the test of `npm run torture`: the message that is accepted as this number is not counted.
const LOST = Number(process.env.BENCH_SINK_LOSES ?? 0);

/** The ways to answer. Only `taken` and `torn` are a success. */
const ANSWERS = {
  taken: (response) => setTimeout(() => response.end(), ANSWER_MS),
  refused: (response) => response.writeHead(400).end('not like this'),
  broken: (response) => setTimeout(() => response.writeHead(503).end(), ANSWER_MS),
  busy: (response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  silent: () => undefined,
  /** The message is here, but the connection closes in the middle of the answer's head: the service cannot know. */
  cut: ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-len');
    setTimeout(() => socket.destroy(), ANSWER_MS);
  },
  /** The connection closes in the body, after a status that says it all. */
  torn: (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('tak');
    setTimeout(() => response.destroy(), ANSWER_MS);
  },
};

/** The calls for each message, by its webhook-id: when, and the answer. */
const calls = new Map();
/** How the provider of an organization misbehaves at the moment. */
const moods = new Map();
/** The times of the accepted messages. */
const arrivals = [];
let accepted = 0;
let count = 0;

/**
 * How the first calls for a message fail. The id decides, so no message fails again and again: the third retry would be due after
 * five minutes.
 */
function habit(organization, id) {
  const number = createHash('sha1').update(`${options.seed} ${id}`).digest().readUInt32BE() % 1000;
  if (number < 8) return ['broken', 'broken'];
  if (number < 42) return ['broken'];
  if (organization === options.rude)
    return number < 45 ? ['silent'] : number < 49 ? ['cut'] : number < 53 ? ['torn'] : [];
  if (organization === options.strict) return number < 44 ? ['busy'] : [];
  return [];
}

function answerTo(organization, channel, id, earlier) {
  if (moods.has(organization)) return moods.get(organization);
  if (channel === 'picky' && !earlier.some(([, answer]) => answer === 'refused')) return 'refused';
  return habit(organization, id)[earlier.length] ?? 'taken';
}

function take(path, id) {
  const [, organization, channel] = path.split('/');
  const earlier = calls.get(id) ?? [];
  const answer = answerTo(organization, channel, id, earlier);
  const at = now();
  const isTaken = answer === 'taken' || answer === 'torn';
  count++;
  if (isTaken && ++accepted === LOST) return answer;
  if (isTaken) arrivals.push(at);
  calls.set(id, [...earlier, [at, isTaken ? 'taken' : answer]]);
  return answer;
}

const server = createServer((request, response) => {
  request.resume().on('end', () => ANSWERS[take(request.url, request.headers['webhook-id'])](response));
});
server.keepAliveTimeout = 0;

server.listen(0, '127.0.0.1', () => {
  const facts = { url: `http://127.0.0.1:${server.address().port}` };
  const answers = {
    count: () => count,
    calls: () => [...calls],
    firstArrivalAfter: (at) => arrivals[firstAfter(at)] ?? null,
    misbehave: ({ organization, how }) => void moods.set(organization, how),
    behave: ({ organization }) => void moods.delete(organization),
  };
  answerParent(answers, facts);
});

function firstAfter(at) {
  let [from, to] = [0, arrivals.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (arrivals[middle] > at) to = middle;
    else from = middle + 1;
  }
  return from;
}
