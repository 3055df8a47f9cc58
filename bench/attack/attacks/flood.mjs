import { createServer } from 'node:http';
import { webhook } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';

const CONNECTIONS = 64;

/** Answers at once. */
async function listen() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/` };
}

/** @type {import('../attacks.mjs').Attack} */
export const flood = {
  name: 'flood',
  about: `${CONNECTIONS} connections that trigger as fast as they are answered`,
  listen,
  channels: ({ url }) => webhook(url),
  run(target) {
    const client = new Client(target);
    return client.together(CONNECTIONS, async () => {
      while (client.goesOn) await client.send(target.paths.told, {});
    });
  },
};
