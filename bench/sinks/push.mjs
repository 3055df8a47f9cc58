// Takes what Apple's push service takes, over HTTP/2 with TLS, and answers 200 at once. Written for speed: it checks no token.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { answerParent } from '../world/parent.mjs';
import { Arrivals } from './arrivals.mjs';

const PATH = '/3/device/';

/** Self-signed, for `localhost`, and of no value anywhere else. */
const certificate = new URL('tls/certificate.pem', import.meta.url);
const key = new URL('tls/key.pem', import.meta.url);

const arrivals = new Arrivals();
/** The connections that messages came over since the last reset. */
let used = new Set();

const server = createSecureServer({
  key: readFileSync(key),
  cert: readFileSync(certificate),
  settings: { maxConcurrentStreams: 1000 },
});

server.on('stream', (stream, headers) => {
  const chunks = arrivals.wantsSample ? [] : null;
  stream.on('error', () => undefined);
  stream.on('data', (chunk) => chunks?.push(chunk));
  stream.on('end', () => {
    if (chunks) arrivals.keepSample({ headers: plainHeaders(headers), body: Buffer.concat(chunks).toString() });
    used.add(stream.session);
    // A device has one message, and its token is a number.
    arrivals.note(`push.${headers[':path'].slice(PATH.length)}`);
    stream.respond({ ':status': 200, 'apns-id': randomUUID() }, { endStream: true });
  });
});

const plainHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && name !== 'content-length'));

const answers = {
  ...arrivals.answers,
  reset() {
    used = new Set();
    arrivals.reset();
  },
  summary() {
    if (used.size > 1) throw new Error(`the messages came over ${used.size} connections`);
    return arrivals.answers.summary();
  },
};

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

server.listen(0, '127.0.0.1', () => {
  const origin = `https://localhost:${server.address().port}`;
  answerParent(answers, { origin, path: PATH, privateKey, certificate: fileURLToPath(certificate) });
});
