// Accepts all mail, and falls silent before mail to a host `attacker.test`. Written by hand: a real mail server would take most of the measured time.
import { createServer } from 'node:net';
import { answerParent, options } from '../world/parent.mjs';
import { Arrivals } from './arrivals.mjs';

const REPLIES = { EHLO: '250-sink\r\n250-8BITMIME\r\n250 PIPELINING', DATA: '354 go on', QUIT: '221 bye' };
const END_OF_LINE = '\r\n';
const END_OF_MAIL = '\r\n.\r\n';

// A mail server that writes each line of its answers by itself and leaves Nagle's algorithm on. The kernel then keeps a line back
// until the client has acknowledged the one before.
const { separateLines = false } = options;

const arrivals = new Arrivals();

function take(mail) {
  arrivals.keepSample({ content: mail });
  arrivals.note(/^Message-ID: <([^@]+)@/m.exec(mail)[1].replace('=2E', '.'));
  return '250 taken';
}

function answer(socket, reply) {
  const lines = separateLines ? reply.split(END_OF_LINE) : [reply];
  for (const line of lines) socket.write(line + END_OF_LINE);
}

function converse(socket) {
  let text = '';
  let readsMail = false;
  socket.setNoDelay(!separateLines);
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += chunk;
    if (!separateLines) socket.cork(); // answers pipelined commands together
    for (;;) {
      const mark = readsMail ? END_OF_MAIL : END_OF_LINE;
      const end = text.indexOf(mark);
      if (end < 0) break;
      const part = text.slice(0, end);
      text = text.slice(end + mark.length);
      const verb = part.slice(0, 4).toUpperCase();
      if (!readsMail && verb === 'RCPT' && part.includes('@attacker.test>'))
        return void socket.removeAllListeners('data').resume();
      answer(socket, readsMail ? take(part) : (REPLIES[verb] ?? '250 ok'));
      readsMail = !readsMail && verb === 'DATA';
      if (!readsMail && verb === 'QUIT') socket.end();
    }
    if (!separateLines) socket.uncork();
  });
  socket.write('220 sink\r\n');
}

const server = createServer(converse);
server.listen(0, '127.0.0.1', () => answerParent(arrivals.answers, { port: server.address().port }));
