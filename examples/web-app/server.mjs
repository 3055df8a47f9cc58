// A shop whose page gets push messages. Node 20 or later, no dependency. README.md says how to run it.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { CARILLON_KEY, CARILLON_URL = 'http://127.0.0.1:3000', VAPID_PUBLIC_KEY, PORT = '4400' } = process.env;
if (!CARILLON_KEY) throw new Error('Set CARILLON_KEY to a key with the permission token:create.');
if (!VAPID_PUBLIC_KEY) throw new Error('Set VAPID_PUBLIC_KEY to the public key of the channel.');

const ORGANIZATION = 'demo';

/** Who is logged in. Your application knows that, from the session in the cookie; here it is always Ann. */
const loggedIn = () => 'ann@example.com';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/service-worker.js': ['service-worker.js', 'text/javascript'],
  '/carillon-inbox.min.js': ['../../clients/inbox/dist/carillon-inbox.min.js', 'text/javascript'],
};
// The page loads nothing of others but pictures, and talks to this server and to Carillon only.
const POLICY = `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src ${CARILLON_URL} https:; connect-src 'self' ${CARILLON_URL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A token for the user who is logged in: it reads their inbox and registers their devices, for an hour. The key never leaves this server. */
async function createToken(user) {
  const answer = await fetch(`${CARILLON_URL}/api/o/${ORGANIZATION}/u/${encodeURIComponent(user)}/token/`, {
    method: 'POST',
    headers: { Authorization: `Key ${CARILLON_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ scopes: ['inbox', 'devices'] }),
  });
  if (!answer.ok) throw new Error(`Carillon answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function answer(request) {
  const user = loggedIn(request);
  const { pathname } = new URL(request.url, 'http://shop');
  if (pathname === '/token') return json(await createToken(user));
  if (pathname === '/settings')
    return json({ url: CARILLON_URL, organization: ORGANIZATION, username: user, publicKey: VAPID_PUBLIC_KEY });
  // An order has no page of its own here.
  const [name, type] = FILES[pathname.startsWith('/orders/') ? '/' : pathname] ?? [];
  if (!name) return [404, 'text/plain', 'Not found'];
  return [200, type, await readFile(new URL(name, import.meta.url))];
}

const json = (body) => [200, 'application/json', JSON.stringify(body)];

const server = createServer(async (request, response) => {
  const [status, type, body] = await answer(request).catch((error) => {
    console.error(error.message);
    return [502, 'text/plain', 'Something went wrong'];
  });
  const headers = { 'Content-Type': type, 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(body);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${server.address().port}/`));
