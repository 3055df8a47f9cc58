import { connect } from 'node:net';

const DEADLINE_MS = 60_000;

const LINES = (org, key) => [
  `GET /api/o/${org}/ HTTP/1.1`,
  `Host: carillon.test`,
  `Authorization: ${key}`,
  `Connection: close`,
];

/** Requests with one strange part. Each is sent as it is, or damaged once more. */
const SHAPES = [
  (lines) => [...lines, '', ''].join('\r\n'),
  (lines) => [...lines, '', ''].join('\n'),
  (lines) => [lines[0].replace('GET', 'get'), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('1.1', '1.0'), ...lines.slice(2), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('1.1', '3.7'), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('/api', 'http://other.test/api'), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('GET /', 'GET //'), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => ['OPTIONS * HTTP/1.1', ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => ['HEAD /api/system/ping/ HTTP/1.1', ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => ['CONNECT carillon.test:80 HTTP/1.1', ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => ['TRACE / HTTP/1.1', ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [...lines, 'Upgrade: websocket', 'Connection: Upgrade', '', ''].join('\r\n'),
  (lines) => [...lines, 'Host: other.test', '', ''].join('\r\n'),
  (lines) => [...lines, 'Host', '', ''].join('\r\n'),
  (lines) => [...lines, 'A: b\u0000c', '', ''].join('\r\n'),
  (lines) => [...lines, 'A : b', ' folded', '', ''].join('\r\n'),
  (lines) => [...lines, `A: ${'x'.repeat(20_000)}`, '', ''].join('\r\n'),
  (lines) => [...lines, ...Array.from({ length: 2500 }, (_, n) => `A${n}: b`), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('/ ', `/?${'a=b&'.repeat(3000)} `), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [lines[0].replace('/ ', '/\u00ff\u0001 '), ...lines.slice(1), '', ''].join('\r\n'),
  (lines) => [...post(lines), 'Content-Length: 2', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Content-Length: 2', 'Content-Length: 3', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Content-Length: -1', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Content-Length: 99', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '0', '', ''].join('\r\n'),
  (lines) => [...post(lines), 'Transfer-Encoding: chunked', '', '2', '{}', '0', '', ''].join('\r\n'),
  (lines) => [...post(lines), 'Transfer-Encoding: chunked', '', 'zz', '{}', '0', '', ''].join('\r\n'),
  (lines) =>
    [...post(lines), 'Transfer-Encoding: chunked', '', `2;${'x'.repeat(20_000)}`, '{}', '0', '', ''].join('\r\n'),
  (lines) => [...post(lines), 'Transfer-Encoding: gzip, nonsense', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Expect: 100-continue', 'Content-Length: 2', '', '{}'].join('\r\n'),
  (lines) => [...post(lines), 'Expect: nonsense', 'Content-Length: 2', '', '{}'].join('\r\n'),
  (lines) => `${[lines[0], ...lines.slice(1, 3), '', ''].join('\r\n')}${[...lines, '', ''].join('\r\n')}`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  () => '\r\n\r\n\r\n',
  () => 'HELO carillon.test\r\n',
  () => '',
];

const post = (lines) => [
  lines[0].replace('GET', 'POST').replace(/o\/\S+/, 'o/'),
  ...lines.slice(1),
  'Content-Type: application/json',
];

/**
 * Writes bytes to a socket, closes its half, and reads until the service closes the other.
 * @param {string} url
 * @param {import('../../../bench/torture/random.mjs').Random} random
 * @param {import('../results.mjs').Results} results
 */
export async function playRaw(url, org, key, random, results) {
  const text = random.one(SHAPES)(LINES(org, key));
  const bytes = random.between(0, 1) < 0.5 ? Buffer.from(text, 'latin1') : damage(Buffer.from(text, 'latin1'), random);
  const cut = Math.floor(random.between(0, bytes.length));
  const parts = random.between(0, 1) < 0.3 ? [bytes.subarray(0, cut), bytes.subarray(cut)] : [bytes];
  const problem = await rawProblem(url, parts);
  results.raw++;
  results.requests++;
  if (problem)
    results.add(
      { kind: 'raw', text: problem },
      { id: 'raw' },
      { path: '', headers: {}, body: JSON.stringify(bytes.toString('latin1').slice(0, 400)), isRaw: true },
    );
}

function damage(bytes, random) {
  const at = Math.floor(random.between(0, bytes.length));
  const chance = random.between(0, 1);
  if (chance < 0.3) return bytes.subarray(0, at);
  const inserted = Buffer.from([Math.floor(random.between(0, 256))]);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(chance < 0.6 ? at + 1 : at)]);
}

/** What is wrong with how the service takes these bytes, or null. */
export async function rawProblem(url, parts, deadlineMs = DEADLINE_MS) {
  const heard = await exchange(url, parts, deadlineMs);
  if (heard === null) return `the connection is still open after ${deadlineMs / 1000} s`;
  for (const answer of heard.split(/(?=HTTP\/1\.1 \d{3} )/)) {
    if (answer === '') continue;
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
    if (!status) return `no HTTP: ${answer.slice(0, 100)}`;
    if (status >= '500') return `${status}: ${answer.slice(-300)}`;
    if (status < '400') continue;
    if (!/\r\ncontent-type: application\/problem\+json/i.test(answer))
      return `${status} without a problem: ${answer.slice(0, 100)}`;
    if (!/\r\nx-request-id: /i.test(answer)) return `${status} without X-Request-Id`;
  }
  return null;
}

/** All that comes back; null if the service does not close the connection. */
function exchange(url, parts, deadlineMs) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let heard = '';
    const timeout = setTimeout(() => {
      resolve(null);
      socket.destroy();
    }, deadlineMs);
    socket.on('data', (data) => (heard += data.toString('latin1')));
    socket.on('error', () => undefined); // the service may close before it has read everything
    socket.on('close', () => {
      clearTimeout(timeout);
      resolve(heard);
    });
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part);
        await new Promise((next) => setImmediate(next));
      }
      socket.end();
    });
  });
}
