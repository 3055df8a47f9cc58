import { createSocket } from 'node:dgram';
import { webhook } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';

const NAMES = 40;
const PER_SECOND = 5;
const PRELOAD = new URL('../name-server.mjs', import.meta.url);

/** A name server that never answers. */
async function listen() {
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}` };
}

/** @type {import('../attacks.mjs').Attack} */
export const resolver = {
  name: 'resolver',
  about: `a name server that never answers: ${PER_SECOND} triggers a second for channels with ${NAMES} names`,
  listen,
  channels: () =>
    Array.from({ length: NAMES }, (_, i) => ({
      ...webhook(`http://name${i}.attacker.test/`),
      slug: `out${i}`,
      name: `Out ${i}`,
    })),
  environment: ({ server }) => ({ NODE_OPTIONS: `--import ${PRELOAD.href}`, ATTACK_NAME_SERVER: server }),
  run(target) {
    const client = new Client(target);
    return client.rate(PER_SECOND, () => client.send(target.paths.told, {}));
  },
};
