import { createServer } from 'node:http';
import { webhook } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';

const PEOPLE = 1000;
const CROWDS = 5;
const SINGLES_PER_SECOND = 100;
const ONE = { options: { limit_to: ['user1@attacker.test'] } };

/** Accepts requests and never answers them. */
async function listen() {
  const server = createServer(() => undefined);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/` };
}

async function run(target) {
  const client = new Client(target);
  for (let i = 0; i < CROWDS; i++) await client.send(target.paths.told, {});
  return client.rate(SINGLES_PER_SECOND, () => client.send(target.paths.told, ONE));
}

/** @type {import('../attacks.mjs').Attack} */
export const hangs = {
  name: 'never-answers',
  about: `a webhook that never answers: ${SINGLES_PER_SECOND} triggers a second, and ${CROWDS} for ${PEOPLE} people`,
  people: PEOPLE,
  listen,
  channels: ({ url }) => webhook(url),
  run,
};

/** @type {import('../attacks.mjs').Attack} */
export const hangsSameHost = {
  ...hangs,
  name: 'same-host',
  about: 'the same, and the quiet tenant uses the same host',
  listen: undefined,
  channels: (_facts, sink) => webhook(`${sink.url}never/`),
};
