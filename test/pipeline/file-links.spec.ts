import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { FileLinks } from '../../src/engine/file/file-links.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Tenant, webhook } from '../support/world/tenant.js';

const PUBLIC_URL = 'https://notify.test/hooks';

let app: TestApp;
let web: HttpSink;
useApp({ ROLE: 'all', PUBLIC_URL }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (web = started),
);

const TEXT = `{% for file in occurrence.attachments %}{{ file.filename }} ({{ file.size }}): {{ file.url }}{% endfor %}`;

const tenantOf = () =>
  Tenant.create(app, {
    channels: [webhook('hook', web.url('/in'))],
    users: [{ email: 'ann@acme.test' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: TEXT }] }],
  });

interface Data {
  text: string;
  attachments: { filename: string; content_type: string; size: number; url: string }[];
}

/** Sends a message with a file over a webhook, and answers what the webhook got. */
async function sendOne(
  tenant: Tenant,
  bytes: Buffer,
  filename = 'report.pdf',
  type = 'application/pdf',
): Promise<Data> {
  const file = { filename, content_type: type, content: bytes.toString('base64') };
  await tenant.triggerAndSettle({}, { attachments: [file] });
  return (JSON.parse(web.requests.at(-1)!.body) as { data: Data }).data;
}

const linkOf = ({ attachments }: Data) => attachments[0]!.url.slice(PUBLIC_URL.length);

it('a channel that carries no files gets links, in its data and in its template', async () => {
  const tenant = await tenantOf();
  const bytes = randomBytes(1234);
  const data = await sendOne(tenant, bytes);
  const url = expect.stringMatching(`^${PUBLIC_URL}/files/${tenant.org}/[\\w-]{56}$`);
  expect(data.attachments).toEqual([{ filename: 'report.pdf', content_type: 'application/pdf', size: 1234, url }]);
  expect(data.text).toBe(`report.pdf (1234): ${data.attachments[0]!.url}`);
  const answer = await fetch(app.url + linkOf(data));
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '1234',
    'content-disposition': `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  });
  const head = await fetch(app.url + linkOf(data), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '1234']);
});

it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript'])(
  '%s is never shown by a browser',
  async (type) => {
    const data = await sendOne(await tenantOf(), Buffer.from('<script>alert(1)</script>'), 'Grüße "x".html', type);
    const { headers } = await fetch(app.url + linkOf(data));
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      `attachment; filename="Gr__e _x_.html"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.html`,
    ]);
  },
);

it('a link works for one file of one organization, and not after its time or with another letter', async () => {
  const [tenant, other] = [await tenantOf(), await tenantOf()];
  const link = linkOf(await sendOne(tenant, Buffer.from('Hello')));
  const status = async (path: string) => (await fetch(app.url + path)).status;
  expect(await status(link)).toBe(200);
  expect(await status(link.replace(`/${tenant.org}/`, `/${other.org}/`))).toBe(404);
  expect(await status(link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A'))).toBe(404);
  expect(await status(`/files/${tenant.org}/x`)).toBe(404);
  const days = (count: number) => Date.now() + count * 86_400_000;
  const links = app.app.get(FileLinks);
  const token = link.split('/').at(-1)!;
  expect([links.verify(token, days(30)) !== null, links.verify(token, days(32))]).toEqual([true, null]);
  await app.pool.query('delete from occurrences');
  expect(await status(link)).toBe(404);
});
