import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { parse } from 'yaml';
import { KEEP_LOGO } from '../../src/api/logo/logo.sql.js';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import { LOCK_UNUSED_FILES } from '../../src/engine/purge/purge.sql.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import { png } from '../support/image.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail } from '../support/world/tenant.js';

const PUBLIC_URL = 'https://notify.test';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const ANN = 'ann@acme.test';

let app: TestApp;
let sink: SmtpSink;
let tenant: Tenant;
useApp({ ROLE: 'all', PUBLIC_URL }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  async (started) => {
    sink = started;
    tenant = await Tenant.create(app, {
      channels: [mail('mail', sink.port)],
      users: [{ email: ANN, first_name: 'Ann' }],
      lists: [{ name: 'Staff', members: [ANN] }],
      notifications: [
        {
          name: 'Tell',
          distribution_list: 'Staff',
          templates: [{ channel: 'mail', subject: 'Hi', text: 'Hi', layout: 'default' }],
        },
      ],
    });
  },
);
afterEach(() => app.pool.query('delete from uploads'));

interface Settings {
  logo: { url: string; content_type: string; width: number; height: number } | null;
  errors: Record<string, string[]>;
}

const asLogo = (bytes: Buffer) => ({ logo: { content: bytes.toString('base64') } });
const patch = async (body: object) => {
  const { status, body: answer } = await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send(body);
  return { status, ...(answer as Settings) };
};
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const show = (path: string) => fetch(`${app.url}${path.replace(PUBLIC_URL, '')}`);
const upload = (bytes: Buffer) =>
  fetch(`${app.url}/api/o/${tenant.org}/uploads/`, {
    method: 'POST',
    headers: { Authorization: `Key ${tenant.key}`, 'Content-Type': 'image/png' },
    body: new Uint8Array(bytes),
  });
const fileIds = async () => {
  const sql = `select f.id from files f join organizations o on o.id = f.organization_id where o.slug = $1`;
  return (await app.pool.query<{ id: string }>(sql, [tenant.org])).rows.map(({ id }) => id);
};
/** An image of 250 KB: programs ignore bytes after its end. */
const large = (shade: number) => Buffer.concat([png(1, 1, shade), Buffer.alloc(250 * 1024)]);
const lastMail = async () => {
  await tenant.settled(await tenant.trigger());
  return (await PostalMime.parse(sink.mails.at(-1)!.raw)).html!;
};

it('is served to everyone, cached for long, and never as something else than an image', async () => {
  const bytes = png(960, 96);
  const { status, logo } = await patch(asLogo(bytes));
  const url = `${PUBLIC_URL}/logos/${tenant.org}/${hashOf(bytes)}`;
  expect([status, logo]).toEqual([200, { url, content_type: 'image/png', width: 240, height: 24 }]);
  const answer = await show(url);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    }),
  ]);
  expect((await fetch(`${app.url}/logos/${tenant.org}/${hashOf(bytes)}`, { method: 'HEAD' })).status).toBe(200);
});

it('is in mails with its size and the name of the organization, from the next trigger on', async () => {
  expect(await lastMail()).not.toContain('<img');
  const { logo } = await patch(asLogo(png(300, 100)));
  expect(await lastMail()).toContain(
    `<img class="logo" src="${logo!.url}" alt="The ${tenant.org}" width="144" height="48"`,
  );
  expect((await patch({ logo: null })).logo).toBeNull();
  expect(await lastMail()).not.toContain('<img');
});

it('is on the pages for recipients, with address and links', async () => {
  await patch({
    ...asLogo(png(40, 40)),
    address: 'Main Street 1 <Springfield>',
    links: [{ label: 'Help & more', url: 'https://acme.test/help?a=1&b=2' }],
  });
  const sql = `select u.id "userId", u.organization_id "organizationId" from users u join organizations o on o.id = u.organization_id where o.slug = $1`;
  const { rows } = await app.pool.query<{ userId: number; organizationId: number }>(sql, [tenant.org]);
  const token = app.app.get(UnsubscribeTokens).sign({ ...rows[0]!, categoryId: 0 });
  const page = await fetch(`${app.url}/u/${token}/preferences`);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:");
  const [, src] = /<header><img src="([^"]+)" alt="The [^"]+" width="40" height="40"><\/header>/.exec(html) ?? [];
  expect((await fetch(new URL(src!, page.url))).headers.get('content-type')).toBe('image/png');
  expect(html).toContain('<a href="https://acme.test/help?a=1&amp;b=2" rel="noreferrer">Help &amp; more</a>');
  expect(html).toContain(`The ${tenant.org} · Main Street 1 &lt;Springfield&gt;</footer>`);
});

describe('a logo is refused', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  it.each<[string, unknown, string, RegExp]>([
    ['if it is SVG', asLogo(svg).logo, 'logo.content', /PNG, JPEG or WebP/],
    [
      'if it has too many bytes',
      asLogo(Buffer.concat([png(1, 1), Buffer.alloc(256 * 1024)])).logo,
      'logo.content',
      /256 KB/,
    ],
    ['if it has too many pixels', asLogo(png(2001, 1)).logo, 'logo.content', /2000 pixels/],
    ['without pixels', asLogo(png(0, 1)).logo, 'logo.content', /2000 pixels/],
    ['if it is not base64', { content: 'a logo' }, 'logo.content', /base64/],
    ['if it is an address', 'https://acme.test/logo.png', 'logo', /object/],
    ['with a name', { ...asLogo(png(1, 1)).logo, filename: 'logo.png' }, 'logo.filename', /not a known field/],
  ])('%s', async (_, logo, field, sentence) => {
    const { status, errors } = await patch({ logo });
    expect([status, errors]).toEqual([400, { [field]: [expect.stringMatching(sentence)] }]);
  });
});

it('is served after a newer one, until the logo is removed', async () => {
  const logos = [png(10, 10, 1), png(10, 10, 2)];
  const urls: string[] = [];
  for (const bytes of logos) urls.push((await patch(asLogo(bytes))).logo!.url);
  await app.pool.query(`update files set created_at = now() - interval '2 hours'`);
  const { rows } = await app.pool.query<{ id: string }>(LOCK_UNUSED_FILES, [FIRST_ID, 100]);
  const logoIds = await fileIds();
  expect([logoIds.length, rows.filter(({ id }) => logoIds.includes(id))]).toEqual([2, []]);
  for (const url of urls) expect((await show(url)).status).toBe(200);
  await patch({ logo: null });
  expect(await fileIds()).toEqual([]);
});

it('leaves its file to an upload with the same bytes', async () => {
  const bytes = png(10, 10, 8);
  await patch(asLogo(bytes));
  expect((await upload(bytes)).status).toBe(201);
  await patch({ logo: null });
  expect(await fileIds()).toHaveLength(1);
});

it('keeps the last ten, and deletes the others at once', async () => {
  for (let shade = 0; shade < 12; shade++) await patch(asLogo(png(10, 10, shade)));
  expect(await fileIds()).toHaveLength(10);
});

it('is the newest one even if its transaction began first', async () => {
  const [older, newer] = [png(10, 10, 21), png(10, 10, 22)];
  await patch(asLogo(newer));
  const client = await app.pool.connect();
  await client.query('begin');
  const { rows } = await client.query<{ id: number }>('select id from organizations where slug = $1', [tenant.org]);
  await patch(asLogo(older));
  await client.query(KEEP_LOGO, [rows[0]!.id, Buffer.from(hashOf(newer), 'hex')]);
  await client.query('commit');
  client.release();
  const sql = `select encode(sha256, 'hex') hash from files where organization_id = $1 order by logo_since desc`;
  const sorted = await app.pool.query<{ hash: string }>(sql, [rows[0]!.id]);
  expect(sorted.rows.map(({ hash }) => hash)).toEqual([hashOf(newer), hashOf(older)]);
});

it('is refused above the quota files_mb, over HTTP and in files, unless its bytes are stored already', async () => {
  const operator = await app.key();
  const first = large(1);
  await app.as(operator).patch(`/api/o/${tenant.org}/quotas/`).send({ files_mb: 1 });
  for (const bytes of [first, large(2), large(3)]) expect((await patch(asLogo(bytes))).status).toBe(200);
  expect((await upload(Buffer.alloc(200 * 1024))).status).toBe(201);
  const refused = await patch(asLogo(large(4)));
  const sentence = expect.stringContaining('quota files_mb, which is 1');
  expect([refused.status, refused.errors]).toEqual([400, { logo: [sentence] }]);
  expect(await fileIds()).toHaveLength(4);
  const file = JSON.stringify({ organizations: [{ slug: tenant.org, name: 'A', ...asLogo(large(4)) }] });
  await expect(app.apply(file)).rejects.toThrow(/logo.*quota files_mb/s);
  expect((await patch(asLogo(first))).status).toBe(200);
});

it('is not served for another organization or by a hash that is not a logo', async () => {
  const bytes = png(10, 10, 77);
  await patch(asLogo(bytes));
  const other = await Tenant.create(app, {});
  for (const path of [`${other.org}/${hashOf(bytes)}`, `${tenant.org}/${hashOf(png(1, 1, 3))}`, `${tenant.org}/x`])
    expect((await show(`/logos/${path}`)).status).toBe(404);
  expect((await upload(png(1, 1, 9))).status).toBe(201);
  expect((await show(`/logos/${tenant.org}/${hashOf(png(1, 1, 9))}`)).status).toBe(404);
});

it('answers 404 to a path that is not the slug of an organization', async () => {
  expect((await show(`/logos/a%00b/${hashOf(png(1, 1))}`)).status).toBe(404);
});

it('gets its bytes back when the same image is set again', async () => {
  const bytes = png(10, 10, 66);
  const { logo } = await patch(asLogo(bytes));
  await app.pool.query('delete from files where sha256 = $1', [Buffer.from(hashOf(bytes), 'hex')]);
  expect((await show(logo!.url)).status).toBe(404);
  expect((await patch(asLogo(bytes))).status).toBe(200);
  expect((await show(logo!.url)).status).toBe(200);
});

it('is gone with its organization', async () => {
  const { logo } = await patch(asLogo(png(10, 10, 55)));
  await app.pool.query('delete from organizations where slug = $1', [tenant.org]);
  expect((await show(logo!.url)).status).toBe(404);
});

it('is a part of configuration files: read from a file, planned, exported and applied elsewhere', async () => {
  const { path: folder, remove } = createFolder();
  const bytes = png(20, 20, 5);
  writeFileSync(join(folder, 'logo.png'), bytes);
  const file = join(folder, 'acme.yaml');
  const write = (name: string) =>
    writeFileSync(file, `organizations: [{ slug: ${tenant.org}, name: A, logo: { file: ${name} } }]`);
  const env = { DATABASE_URL: app.databaseUrl };
  write('logo.png');
  const plan = await cli(['apply', file, '--dry-run'], env);
  expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining('logo')]);
  expect((await cli(['apply', file], env)).code).toBe(0);
  expect((await cli(['apply', file], env)).stdout).toMatch(/nothing/i);
  const exported = await cli(['export', 'config', '--org', tenant.org], env);
  const { organizations } = parse(exported.stdout) as { organizations: { logo: { content: string } }[] };
  expect(organizations[0]!.logo).toEqual(asLogo(bytes).logo);
  write('none.png');
  expect((await cli(['validate', file], env)).stderr).toMatch(/logo.*none\.png/);
  remove();
});
