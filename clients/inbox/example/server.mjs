// An application with the inbox of one user in its page. Node 20 or later, no dependency.
//   CARILLON_KEY=crl_... node clients/inbox/example/server.mjs
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';

const { CARILLON_KEY, CARILLON_URL = 'http://127.0.0.1:3000', PORT = '4400' } = process.env;
if (!CARILLON_KEY) throw new Error('Set CARILLON_KEY to a key with the permission token:create.');

const folder = new URL('.', import.meta.url);
const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.css': ['page.css', 'text/css'],
  '/carillon-inbox.min.js': ['../dist/carillon-inbox.min.js', 'text/javascript'],
};
// No inline script or style, and no HTML that a script inserts.
const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${CARILLON_URL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`;

/** A token for the user who is logged in. Your application knows who that is; here it is always Ann. */
async function createToken() {
  const person = encodeURIComponent('ann@example.com');
  const answer = await fetch(`${CARILLON_URL}/api/o/demo/u/${person}/token/`, {
    method: 'POST',
    headers: { Authorization: `Key ${CARILLON_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ scopes: ['inbox'] }),
  });
  return { status: answer.ok ? 200 : 502, body: await answer.text() };
}

createServer(async (request, response) => {
  try {
    if (request.url === '/token') {
      const { status, body } = await createToken();
      return response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
    }
    const [name, type] = files[request.url] ?? [];
    if (!name) return response.writeHead(404).end();
    const page = (await readFile(new URL(name, folder), 'utf8')).replaceAll('http://127.0.0.1:3000', CARILLON_URL);
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(page);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`));
