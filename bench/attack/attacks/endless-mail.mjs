import { createServer } from 'node:net';
import { mail } from '../../world/crowd.mjs';
import { hangs } from './never-answers.mjs';

const LINES = Buffer.from('\r\n'.repeat(32_768));

/** Sends empty lines after EHLO, as fast as the client reads them. */
async function listen() {
  const server = createServer((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(LINES));
    };
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.on('drain', write);
      write();
    });
    socket.write('220 endless\r\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

/** @type {import('../attacks.mjs').Attack} */
export const endlessMail = {
  ...hangs,
  name: 'endless-mail',
  about: 'a mail server that sends endless empty lines after EHLO',
  listen,
  channels: ({ port }) => mail(port),
};
