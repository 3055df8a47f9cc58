// Bare node:http that answers every request with the same bytes.
import { createServer } from 'node:http';
import { answerParent, options } from '../world/parent.mjs';

const body = Buffer.from(options.body);
const headers = { ...options.headers, 'content-length': body.length };

const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => answerParent({}, { url: `http://127.0.0.1:${server.address().port}` }));
