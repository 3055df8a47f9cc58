// A provider on loopback that counts each message, and refuses one of 25 the first time.
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
    // Few, and never many in a row: the service would rest the channel.
    if (/^\d*(00|25|50|75) ann@/.test(text) && !refused.has(text)) {
      refused.add(text);
      response.writeHead(500).end();
      return;
    }
    accepted.set(text, (accepted.get(text) ?? 0) + 1);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { accepted, url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
