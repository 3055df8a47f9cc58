import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { AttachFiles } from '../../src/api/attachment/attach-files.js';
import type { Scope } from '../../src/auth/scope.js';
import { FileCache } from '../../src/engine/file/file-cache.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
let web: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

useSink(
  () => HttpSink.start(),
  (started) => (web = started),
);

const HTML = '<p>Hi <img src="cid:logo"></p>';

const tenantOf = (config: Record<string, number> = {}, users = 2, template: object = { text: 'Hi', html: HTML }) => {
  const emails = Array.from({ length: users }, (_, i) => `u${i}@acme.test`);
  return Tenant.create(app, {
    channels: [mail('mail', sink.port, config)],
    users: emails.map((email) => ({ email })),
    lists: [{ name: 'Staff', members: emails }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', subject: 'News', ...template }] },
    ],
  });
};

const triggerPath = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/trigger/`;

async function upload({ org, key }: Tenant, bytes: Buffer, filename = 'report.pdf', type = 'application/pdf') {
  const answer = await fetch(`${app.url}/api/o/${org}/uploads/?filename=${encodeURIComponent(filename)}`, {
    ...{ method: 'POST', body: bytes, headers: { Authorization: `Key ${key}`, 'Content-Type': type } },
  });
  return ((await answer.json()) as { id: string }).id;
}

const trigger = (tenant: Tenant, attachments: unknown, options: object = {}) =>
  app
    .as(tenant.key)
    .post(triggerPath(tenant))
    .send({ options: { attachments, ...options } });

/** Triggers, waits until all is sent, and answers the id of the occurrence. */
async function send(tenant: Tenant, attachments: object[], options: object = {}): Promise<string> {
  const { status, body } = await trigger(tenant, attachments, options);
  expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
  const { occurrence } = body as { occurrence: string };
  await tenant.settled(occurrence);
  return occurrence;
}

const parsed = (): Promise<Email[]> =>
  Promise.all(sink.mails.map(({ raw }) => PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' })));

const bytesOf = ({ content }: { content: ArrayBuffer | string | Uint8Array }) => Buffer.from(content as ArrayBuffer);

const count = async (table: string, { org }: Tenant) => {
  const sql = `select count(*)::int from ${table} t join organizations o on o.id = t.organization_id where o.slug = $1`;
  return (await app.pool.query<{ count: number }>(sql, [org])).rows[0]!.count;
};

it('mails carry an upload to each user, byte for byte, and it is stored once', async () => {
  const tenant = await tenantOf();
  const bytes = randomBytes(1_000_003);
  await send(tenant, [{ upload: await upload(tenant, bytes) }]);
  const mails = await parsed();
  expect(mails).toHaveLength(2);
  for (const { attachments, text, html, subject } of mails) {
    expect([subject, text!.trim(), html!.trim()]).toEqual(['News', 'Hi', HTML]);
    const [file] = attachments;
    expect(attachments).toHaveLength(1);
    expect(file).toMatchObject({ filename: 'report.pdf', mimeType: 'application/pdf', disposition: 'attachment' });
    expect(bytesOf(file!).equals(bytes)).toBe(true);
  }
  expect([await count('files', tenant), await count('file_chunks', tenant)]).toEqual([1, 4]);
});

it('mails carry content of the trigger, inline images by cid, and names in any letters', async () => {
  const tenant = await tenantOf();
  const [image, text] = [randomBytes(5000), Buffer.from('Grüße\r\n.\r\n..\r\n')];
  const name = `Größe „A“ ${'é'.repeat(150)}.txt`;
  await send(tenant, [
    { filename: 'logo.png', content_type: 'image/png', content: image.toString('base64'), cid: 'logo' },
    { filename: name, content_type: 'text/plain; charset=utf-8', content: text.toString('base64') },
    { filename: 'empty.bin', content: '' },
  ]);
  const [{ attachments }] = (await parsed()) as [Email];
  expect(
    attachments.map(({ filename, mimeType, contentId, disposition, related }) => ({
      ...{ filename, mimeType, contentId, disposition, related },
    })),
  ).toMatchObject([
    { filename: 'logo.png', mimeType: 'image/png', contentId: '<logo>', disposition: 'inline', related: true },
    { filename: name, mimeType: 'text/plain', disposition: 'attachment' },
    { filename: 'empty.bin', mimeType: 'application/octet-stream', disposition: 'attachment' },
  ]);
  expect(attachments.map((file) => bytesOf(file).length)).toEqual([5000, text.length, 0]);
  expect(bytesOf(attachments[0]!).equals(image) && bytesOf(attachments[1]!).equals(text)).toBe(true);
  for (const line of sink.mails[0]!.raw.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
});

it('an invitation is a part of the mail that calendars read, and a file', async () => {
  const tenant = await tenantOf();
  const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
  const type = 'text/calendar; method=REQUEST; charset=utf-8';
  const content = Buffer.from(calendar).toString('base64');
  await send(tenant, [{ filename: 'invite.ics', content_type: type, content }]);
  const [{ attachments }] = (await parsed()) as [Email];
  const parts = attachments.map(({ mimeType, method, filename }) => [mimeType, method, filename]);
  expect(parts).toContainEqual(['text/calendar', 'REQUEST', 'invite.ics']);
  const texts = attachments.map((file) => bytesOf(file).toString().trim().replaceAll(/\r?\n/g, '\r\n'));
  expect(new Set(texts)).toEqual(new Set([calendar.trim()]));
  // As an alternative to the text: before the boundary of the files.
  const raw = sink.mails[0]!.raw.toString();
  const boundary = /multipart\/alternative; boundary="([^"]+)"/.exec(raw)![1]!;
  const alternatives = raw
    .slice(0, raw.indexOf(`--${boundary}--`))
    .split(`--${boundary}\r\n`)
    .slice(1);
  expect(alternatives.map((part) => /^Content-Type: ([^\r]+)/.exec(part)![1])).toEqual([
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
    type,
  ]);
});

it('a replay carries the same files', async () => {
  const tenant = await tenantOf({}, 1);
  const bytes = randomBytes(70_000);
  const occurrence = await send(tenant, [{ upload: await upload(tenant, bytes) }]);
  const { body } = await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/replay/`);
  await tenant.settled((body as { occurrence: string }).occurrence);
  const mails = await parsed();
  expect(mails.map(({ attachments }) => bytesOf(attachments[0]!).equals(bytes))).toEqual([true, true]);
  expect([await count('files', tenant), await count('attachments', tenant)]).toEqual([1, 2]);
});

it('a request that is sent again stores nothing more', async () => {
  const tenant = await tenantOf({}, 1);
  const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=' }];
  const again = () => trigger(tenant, attachments).set('Idempotency-Key', 'one');
  const answers = [await again(), await again()];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]!.body).toEqual(answers[0]!.body);
  expect([await count('files', tenant), await count('attachments', tenant)]).toEqual([1, 1]);
});

it('a request that is sent again is answered as before, also if its upload is gone and the quota is used up', async () => {
  const tenant = await tenantOf({}, 1);
  const id = await upload(tenant, Buffer.from('Hello'));
  const attachments = [{ upload: id }, { filename: 'a.txt', content: 'SGVsbG8h' }];
  const again = (files: object[]) => trigger(tenant, files).set('Idempotency-Key', 'one');
  const first = await again(attachments);
  await app.pool.query('delete from uploads where id = $1', [id]);
  await app.pool.query(`update organizations set quotas = '{"files_mb": 0}' where slug = $1`, [tenant.org]);
  const second = await again(attachments);
  expect([second.status, second.body, second.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
  expect((await again([{ upload: id }])).status).toBe(409);
});

const HELLO = { filename: 'a.txt', content: 'SGVsbG8=' };

it.each<[string, unknown, string, RegExp]>([
  ['no list', {}, 'options.attachments', /array of objects/],
  ['an empty list', [], 'options.attachments', /must not be empty/],
  ['too many', Array.from({ length: 21 }, () => HELLO), 'options.attachments', /at most 20/],
  ['nothing', [HELLO, { filename: 'x' }], 'options.attachments[1]', /exactly one of content, upload and url/],
  ['two sources', [{ ...HELLO, url: 'https://acme.test/a' }], 'options.attachments[0]', /exactly one/],
  ['no base64', [HELLO, { ...HELLO, content: 'SGVsb' }], 'options.attachments[1].content', /base64/],
  ['no name', [{ content: 'SGVsbG8=' }], 'options.attachments[0].filename', /must be given/],
  ['a path', [{ ...HELLO, filename: 'a/b' }], 'options.attachments[0].filename', /without a path/],
  ['no type', [{ ...HELLO, content_type: 'x\r\nBcc: a' }], 'options.attachments[0].content_type', /content type/],
  ['a wrong cid', [{ ...HELLO, cid: 'a>b' }], 'options.attachments[0].cid', /letters/],
  [
    'a cid twice',
    [
      { ...HELLO, cid: 'a' },
      { ...HELLO, cid: 'a' },
    ],
    'options.attachments[1].cid',
    /already used/,
  ],
  ['an unknown field', [{ ...HELLO, file: 'x' }], 'options.attachments[0].file', /is not a/],
  ['no URL', [{ url: 'ftp://acme.test/a' }], 'options.attachments[0].url', /http or https/],
  ['a URL with a password', [{ url: 'https://a:b@acme.test/a' }], 'options.attachments[0].url', /without a user name/],
  ['a hash without a URL', [{ ...HELLO, sha256: 'a'.repeat(64) }], 'options.attachments[0].sha256', /without url/],
  ['no hash', [{ url: 'https://acme.test/a', sha256: 'a' }], 'options.attachments[0].sha256', /64 hexadecimal/],
  [
    'no upload',
    [{ upload: '7d9c5f1e-0a43-4c0e-8f0e-2b1f6f0c9a11' }],
    'options.attachments[0].upload',
    /is not an upload/,
  ],
  ['no id', [{ upload: 'x' }], 'options.attachments[0].upload', /id of an upload/],
])('a trigger with %s is refused by the name of the field', async (_, attachments, field, sentence) => {
  const tenant = await tenantOf();
  const { status, body } = await trigger(tenant, attachments);
  const { errors } = body as { errors: Record<string, string[]> };
  expect([status, Object.keys(errors)]).toEqual([400, [field]]);
  expect(errors[field]![0]).toMatch(sentence);
});

it('an upload of another organization, and one that has expired, cannot be attached', async () => {
  const [tenant, other] = [await tenantOf(), await tenantOf()];
  const foreign = await upload(other, Buffer.from('Hello'));
  const old = await upload(tenant, Buffer.from('Hello'));
  await app.pool.query(`update uploads set expires_at = now() where id = $1`, [old]);
  for (const id of [foreign, old]) expect((await trigger(tenant, [{ upload: id }])).status).toBe(400);
});

it('files that are too large for a channel are refused at the trigger, by the name of the channel and its limit', async () => {
  const tenant = await tenantOf({ max_message_mb: 1 });
  const id = await upload(tenant, Buffer.alloc(800_000));
  const { status, body } = await trigger(tenant, [{ upload: id }]);
  expect([status, (body as { errors: object }).errors]).toEqual([
    400,
    {
      'options.attachments': [
        'have 1.0 MB as base64, and the channel mail sends messages of at most 1 MB (its setting max_message_mb)',
      ],
    },
  ]);
  // A channel that the trigger does not use has no say.
  expect((await trigger(tenant, [{ upload: id }], { channels: ['inbox'] })).status).toBe(201);
});

it('a channel sends mails of at most 30 MB, also if a larger limit is stored', async () => {
  const tenant = await tenantOf({}, 1);
  const path = `/api/o/${tenant.org}/c/mail/`;
  const { body: channel } = await app.as(tenant.key).get(path);
  const { config } = channel as { config: object };
  const refused = await app
    .as(tenant.key)
    .patch(path)
    .send({ config: { ...config, max_message_mb: 31 } });
  expect([refused.status, (refused.body as { errors: object }).errors]).toEqual([
    400,
    { 'config.max_message_mb': [expect.stringMatching(/30/)] },
  ]);
  await app.pool.query(
    `update channels c set config = c.config || '{"max_message_mb": 60}' from organizations o where o.id = c.organization_id and o.slug = $1`,
    [tenant.org],
  );
  const small = await upload(tenant, Buffer.from('Hello'));
  const large = await upload(tenant, Buffer.alloc(23 * 1024 * 1024));
  const { body } = await trigger(tenant, [{ upload: large }]);
  expect((body as { errors: object }).errors).toEqual({
    'options.attachments': [expect.stringMatching(/the channel mail sends messages of at most 30 MB/)],
  });
  await send(tenant, [{ upload: small }]);
  expect(sink.mails).toHaveLength(1);
});

it('an invitation counts twice, because a mail carries it twice', async () => {
  const tenant = await tenantOf({ max_message_mb: 1 }, 1);
  const bytes = Buffer.alloc(500_000);
  const [plain, invitation] = [
    await upload(tenant, bytes, 'a.ics', 'text/calendar'),
    await upload(tenant, bytes, 'a.ics', 'text/calendar; method=REQUEST'),
  ];
  const answers = [await trigger(tenant, [{ upload: plain }]), await trigger(tenant, [{ upload: invitation }])];
  expect(answers.map(({ status }) => status)).toEqual([201, 400]);
});

it('content that is stored already takes no more of the quota', async () => {
  const tenant = await tenantOf({}, 1);
  await send(tenant, [HELLO]);
  await app.pool.query(`update organizations set quotas = '{"files_mb": 0}' where slug = $1`, [tenant.org]);
  await tenant.settled(await tenant.trigger({}, { attachments: [HELLO] }));
  expect(sink.mails).toHaveLength(2);
});

it('a file that is purged while it is attached is refused by the name of its upload', async () => {
  const tenant = await tenantOf({}, 1);
  const id = await upload(tenant, Buffer.from('Hello'));
  const { rows } = await app.pool.query<{ organizationId: number; eventId: number }>(
    `select g.id "organizationId", e.id "eventId" from events e join organizations g on g.id = e.organization_id where g.slug = $1`,
    [tenant.org],
  );
  const scope = { ...rows[0]!, quotas: { files_mb: 1 } as Scope['quotas'] };
  const attached = await app.app.get(AttachFiles, { strict: false }).check(scope, [HELLO, { upload: id }], undefined);
  await app.pool.query('delete from uploads where id = $1', [id]);
  await app.pool.query('delete from files where organization_id = $1', [scope.organizationId]);
  const written = app.app.get(PrismaService).$transaction((tx) => attached.write(tx as Transaction, randomUUID()));
  await expect(written).rejects.toThrow('see options.attachments[1].upload under errors');
});

it('a file is deleted with the last occurrence and upload that refer to it', async () => {
  const tenant = await tenantOf({}, 1);
  const id = await upload(tenant, randomBytes(300_000));
  const first = await send(tenant, [{ upload: id }]);
  const second = await send(tenant, [{ upload: id }]);
  const purge = async () => {
    await app.pool.query(`update files set created_at = now() - interval '2 hours'`);
    await until(5000, async () => (await app.app.get(Purge).run()) !== null);
    return count('file_chunks', tenant);
  };
  expect(await purge()).toBe(2);
  await app.pool.query(`update uploads set expires_at = now() - interval '1 second'`);
  expect([await purge(), await count('uploads', tenant)]).toEqual([2, 0]);
  await app.pool.query('delete from occurrences where id = $1', [first]);
  expect(await purge()).toBe(2);
  await app.pool.query('delete from occurrences where id = $1', [second]);
  expect(await purge()).toBe(0);
});

it('files go with their organization', async () => {
  const tenant = await tenantOf({}, 1);
  await send(tenant, [{ upload: await upload(tenant, randomBytes(300_000)) }]);
  await app.pool.query('delete from organizations where slug = $1', [tenant.org]);
  const { rows } = await app.pool.query(
    'select from files f where organization_id not in (select id from organizations)',
  );
  expect(rows).toEqual([]);
});

it('many messages share one copy of a file in memory, and more than fits waits', async () => {
  const cache = app.app.get(FileCache);
  const sizes = new Set<number>();
  sink.reply.data = () => void sizes.add(cache.bytes);
  const tenant = await tenantOf({}, 10);
  const ids = [await upload(tenant, randomBytes(300_000)), await upload(tenant, randomBytes(300_000))];
  cache.limitTo(500_000);
  await Promise.all(ids.map((id) => send(tenant, [{ upload: id }])));
  expect(sink.mails).toHaveLength(20);
  expect(Math.max(...sizes)).toBeLessThan(500_000);
  const hashes = (await parsed()).map(({ attachments: [file] }) =>
    createHash('sha256').update(bytesOf(file!)).digest('hex'),
  );
  expect(new Set(hashes).size).toBe(2);
  cache.limitTo(64 * 1024 * 1024);
});

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Triggers with files that fail, and answers why. */
async function problemOf(tenant: Tenant, attachments: object[]): Promise<string> {
  const { body } = await trigger(tenant, attachments);
  const { occurrence } = body as { occurrence: string };
  await tenant.settled(occurrence, 15_000, 'failed');
  const shown = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/`);
  return (shown.body as { problem: string }).problem;
}

const hurry = () => app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);

it('a file of a URL is fetched once for all users, with the type that the answer has', async () => {
  const tenant = await tenantOf({}, 5);
  const bytes = randomBytes(600_000);
  web.reply = () => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: bytes });
  const occurrence = await send(tenant, [{ url: web.url('/a/photo.png?sig=secret'), sha256: hashOf(bytes) }]);
  const mails = await parsed();
  expect(mails.map(({ attachments: [file] }) => [file!.filename, file!.mimeType, hashOf(bytesOf(file!))])).toEqual(
    Array.from({ length: 5 }, () => ['photo.png', 'image/png', hashOf(bytes)]),
  );
  expect(web.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/a/photo.png?sig=secret']]);
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/`);
  expect((body as { attachments: object[] }).attachments).toEqual([
    {
      ...{ filename: 'photo.png', content_type: 'image/png', size: bytes.length, sha256: hashOf(bytes), cid: null },
      url: web.url('/a/photo.png'),
    },
  ]);
  expect([await count('files', tenant), await count('attachments', tenant)]).toEqual([1, 1]);
});

it('a file with other bytes than the trigger expects fails the occurrence, and nothing is sent', async () => {
  const tenant = await tenantOf();
  web.reply = () => ({ status: 200, body: 'Hello' });
  const problem = await problemOf(tenant, [{ url: web.url('/x?key=1'), sha256: hashOf(Buffer.from('Hallo')) }]);
  expect(problem).toBe(
    `attachments[0] could not be fetched from ${web.url('/x')}: its SHA-256 is ${hashOf(Buffer.from('Hello'))}, and the trigger expects ${hashOf(Buffer.from('Hallo'))}`,
  );
  expect([sink.mails, await count('files', tenant)]).toEqual([[], 0]);
});

it.each([
  [
    'a redirect',
    { status: 302, headers: { Location: 'http://127.0.0.1/' } },
    /answered 302: redirects are not followed/,
  ],
  ['nothing there', { status: 404 }, /answered 404/],
])('%s fails the occurrence at once', async (_, reply, sentence) => {
  const tenant = await tenantOf();
  web.reply = () => reply;
  expect(await problemOf(tenant, [{ url: web.url('/x') }])).toMatch(sentence);
  expect([web.requests.length, sink.mails]).toEqual([1, []]);
});

it('an address inside the network is not called', async () => {
  const tenant = await tenantOf();
  expect(await problemOf(tenant, [{ url: 'http://10.0.0.1/x' }])).toMatch(/10\.0\.0\.1 is not allowed/);
});

it('a server that fails is asked again later, and the messages wait for it', async () => {
  const tenant = await tenantOf({}, 1);
  web.reply = () => (web.requests.length < 3 ? { status: 503 } : { status: 200, body: 'Hello' });
  const { body } = await trigger(tenant, [{ url: web.url('/x') }]);
  await until(15_000, async () => {
    await hurry();
    return sink.mails.length === 1;
  });
  expect(web.requests).toHaveLength(3);
  await tenant.settled((body as { occurrence: string }).occurrence);
  const [{ attachments }] = (await parsed()) as [Email];
  expect(bytesOf(attachments[0]!).toString()).toBe('Hello');
});

it('a server that keeps failing fails the occurrence', async () => {
  const tenant = await tenantOf();
  web.reply = () => ({ status: 500 });
  const hurrying = setInterval(() => void hurry(), 50);
  expect(await problemOf(tenant, [{ url: web.url('/x') }])).toMatch(/answered 500/);
  clearInterval(hurrying);
  expect(web.requests).toHaveLength(5);
});

it('a fetched file that is too large for the channel fails the occurrence', async () => {
  const tenant = await tenantOf({ max_message_mb: 1 });
  web.reply = () => ({ status: 200, body: Buffer.alloc(900_000) });
  expect(await problemOf(tenant, [{ url: web.url('/x') }])).toMatch(/the channel mail sends messages of at most 1 MB/);
});
