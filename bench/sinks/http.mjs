// Accepts webhooks and answers 200 at once. It never answers those to /never/.
import { createServer } from 'node:http';
import { answerParent } from '../world/parent.mjs';
import { Arrivals } from './arrivals.mjs';

const arrivals = new Arrivals();

const server = createServer((request, response) => {
  if (request.url === '/never/') return;
  const chunks = arrivals.wantsSample ? [] : null;
  request.on('data', (chunk) => chunks?.push(chunk));
  request.on('end', () => {
    if (chunks) arrivals.keepSample({ headers: plainHeaders(request), body: Buffer.concat(chunks).toString() });
    arrivals.note(request.headers['webhook-id']);
    response.end();
  });
});
server.keepAliveTimeout = 0; // keeps idle connections open between two rounds

function plainHeaders({ headers }) {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  return rest;
}

server.listen(0, '127.0.0.1', () => {
  answerParent(arrivals.answers, { url: `http://127.0.0.1:${server.address().port}/` });
});
