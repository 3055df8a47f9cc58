// A bare node:http2 client that posts the same body over one connection, with `inFlight` streams in flight.
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { now } from '../measure/clock.mjs';
import { deviceToken } from '../world/device-token.mjs';
import { answerParent } from '../world/parent.mjs';

const post = (session, headers, body) =>
  new Promise((resolve, reject) => {
    const stream = session.request(headers);
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200) reject(new Error(`the sink answered ${status}`));
    });
    stream.on('error', reject).on('close', resolve).resume();
    stream.end(body);
  });

async function run({ origin, path, certificate, headers, body, messages, inFlight }) {
  const session = connect(origin, { ca: readFileSync(certificate) });
  await new Promise((resolve, reject) => session.once('remoteSettings', resolve).once('error', reject));
  const length = Buffer.byteLength(body);
  const start = now();
  let sent = 0;
  const next = async () => {
    while (sent < messages) {
      const to = `${path}${deviceToken(++sent)}`;
      await post(session, { ':method': 'POST', ':path': to, ...headers, 'content-length': length }, body);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, next));
  const ms = now() - start;
  session.close();
  return { ms };
}

answerParent({ run });
