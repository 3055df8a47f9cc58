// A provider on loopback that counts each message, and refuses every fifth one the first time.
import { once } from 'node:events';
import { createServer } from 'node:http';

export async function startSink() {
  /** How often each message was accepted, by its text. */
  const accepted = new Map();
  const refused = new Set();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { text } = JSON.parse(body).data;
    if (Number(text.split(' ')[0]) % 5 === 0 && !refused.has(text)) {
      refused.add(text);
      response.writeHead(503, { 'Retry-After': '1' }).end();
      return;
    }
    accepted.set(text, (accepted.get(text) ?? 0) + 1);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { accepted, url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
