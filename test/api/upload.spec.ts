import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from '@jest/globals';
import { FileShares } from '../../src/api/upload/file-shares.js';
import { CHUNK_BYTES, FileStore } from '../../src/engine/file/file-store.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { until } from '../support/until.js';

const UPLOADS = '/api/o/acme/uploads/';

interface Upload {
  id: string;
  size: number;
  sha256: string;
  created_at: string;
  expires_at: string;
}

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const count = async (table: string) =>
  (await app.pool.query<{ count: number }>(`select count(*)::int from ${table}`)).rows[0]!.count;

afterEach(() => app.pool.query('delete from files'));

/** Sends a body as it comes. */
const send = (body: Buffer | ReadableStream, query = '?filename=report.pdf', type = 'application/pdf', as = key) =>
  fetch(`${app.url}${UPLOADS}${query}`, {
    method: 'POST',
    headers: { Authorization: `Key ${as}`, 'Content-Type': type },
    body,
    duplex: 'half',
  });

const upload = async (bytes: Buffer, query?: string) => (await (await send(bytes, query)).json()) as Upload;

const stored = async ({ id }: Upload) => {
  const sql = 'select organization_id, file_id from uploads where id = $1';
  const { rows } = await app.pool.query<{ organization_id: number; file_id: string }>(sql, [id]);
  const chunks: Buffer[] = [];
  for await (const chunk of app.app.get(FileStore).read(rows[0]!.organization_id, rows[0]!.file_id)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

it('stores a file in chunks, and says what it is', async () => {
  const bytes = randomBytes(2 * CHUNK_BYTES + 5);
  const answer = await send(bytes);
  const body = (await answer.json()) as Upload;
  expect([answer.status, body]).toEqual([
    201,
    {
      ...{ id: expect.any(String), filename: 'report.pdf', content_type: 'application/pdf', size: bytes.length },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      created_at: expect.any(String),
      expires_at: expect.any(String),
    },
  ]);
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * 86_400_000);
  expect((await stored(body)).equals(bytes)).toBe(true);
  expect(await count('file_chunks')).toBe(3);
  expect((await app.as(key).get(`${UPLOADS}${body.id}/`)).body).toEqual(body);
  expect((await app.as(key).get(UPLOADS)).body).toEqual([body]);
});

it('stores files of any size around that of a chunk', async () => {
  for (const size of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1]) {
    const bytes = randomBytes(size);
    const body = await upload(bytes);
    expect([size, body.size, (await stored(body)).equals(bytes)]).toEqual([size, size, true]);
  }
});

it('stores the same bytes once for an organization, and once for each', async () => {
  const bytes = randomBytes(CHUNK_BYTES + 1);
  const uploads = await Promise.all(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => upload(bytes, `?filename=${name}`)));
  expect([new Set(uploads.map(({ id }) => id)).size, await count('files'), await count('file_chunks')]).toEqual([
    3, 1, 2,
  ]);
  const globex = await app.key({ org: 'globex' });
  await app.as(globex).post('/api/o/globex/uploads/').type('application/pdf').send(bytes.toString('latin1'));
  expect(await count('files')).toBe(2);
});

it('deletes an upload, and does not show those of others', async () => {
  const { id } = await upload(Buffer.from('Hello'));
  const globex = await app.key({ org: 'globex' });
  expect((await app.as(globex).get(`${UPLOADS}${id}/`)).status).toBe(404);
  expect((await app.as(globex).get(`/api/o/globex/uploads/${id}/`)).status).toBe(404);
  expect((await app.as(globex).delete(`/api/o/globex/uploads/${id}/`)).status).toBe(404);
  expect((await app.as(key).delete(`${UPLOADS}${id}/`)).status).toBe(204);
  expect((await app.as(key).get(`${UPLOADS}${id}/`)).status).toBe(404);
});

it('needs the permission upload:write, and the whole organization for the list', async () => {
  const reader = await app.key({ org: 'acme', permissions: ['event:trigger', 'organization:write'] });
  expect((await send(Buffer.from('Hello'), '', 'text/plain', reader)).status).toBe(403);
  const ofShop = await app.key({ org: 'acme', project: 'shop', permissions: ['upload:write'] });
  expect((await send(Buffer.from('Hello'), '', 'text/plain', ofShop)).status).toBe(201);
  expect((await app.as(ofShop).get(UPLOADS)).status).toBe(403);
});

it('does not show or use an upload that has expired', async () => {
  const { id } = await upload(Buffer.from('Hello'));
  await app.pool.query(`update uploads set expires_at = now() - interval '1 second'`);
  expect((await app.as(key).get(`${UPLOADS}${id}/`)).status).toBe(404);
  expect((await app.as(key).get(UPLOADS)).body).toEqual([]);
});

it.each([
  ['a path', '../etc/passwd', /without a path/],
  ['a path of Windows', 'c:\\boot.ini', /without a path/],
  ['a line break', 'a\r\nBcc: eve@test', /without control characters/],
  ['a reversed text', 'invoice\u202Efdp.exe', /without control characters/],
  ['nothing', '', /1 to 200 characters/],
  ['too much', 'x'.repeat(201), /1 to 200 characters/],
])('refuses a name that is %s', async (_, name, sentence) => {
  const answer = await send(Buffer.from('Hello'), `?filename=${encodeURIComponent(name)}`);
  const { errors } = (await answer.json()) as { errors: Record<string, string[]> };
  expect([answer.status, errors]).toEqual([400, { filename: [expect.stringMatching(sentence)] }]);
});

it.each(['nothing', 'multipart/mixed; boundary=x', 'message/rfc822'])('refuses the content type %s', async (type) => {
  const answer = await send(Buffer.from('Hello'), '?filename=a', type);
  expect([answer.status, Object.keys(((await answer.json()) as { errors: object }).errors)]).toEqual([
    400,
    ['Content-Type'],
  ]);
});

it('refuses a file that is too large, also if the client does not say how large it is', async () => {
  const tooLarge = 50 * 1024 * 1024 + 1;
  function* bytes() {
    for (let left = tooLarge; left > 0; left -= 1024 * 1024) yield Buffer.alloc(Math.min(left, 1024 * 1024));
  }
  const answer = await send(Readable.toWeb(Readable.from(bytes())) as ReadableStream);
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    413,
    'The file is larger than 51200 KB.',
  ]);
  await until(5000, async () => (await count('files')) === 0);
});

it('keeps nothing of a client that leaves', async () => {
  const leaving = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(randomBytes(CHUNK_BYTES + 1)),
  });
  const sending = fetch(`${app.url}${UPLOADS}`, {
    ...{ method: 'POST', headers: { Authorization: `Key ${key}` }, body, duplex: 'half', signal: leaving.signal },
  }).catch(() => undefined);
  await until(5000, async () => (await count('file_chunks')) === 1);
  leaving.abort();
  await sending;
  await until(5000, async () => (await count('files')) === 0);
});

it('refuses files above the quota files_mb', async () => {
  const operator = await app.key();
  const quotas = '/api/o/acme/quotas/';
  await app.as(operator).patch(quotas).send({ files_mb: 1 });
  expect((await send(Buffer.alloc(1024 * 1024 - 9))).status).toBe(201);
  expect((await app.as(operator).get(quotas)).body).toMatchObject({ files_mb: { limit: 1, used: 1 } });
  const refused = await send(Buffer.from('more than nine'));
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    409,
    expect.stringContaining('its quota files_mb is 1'),
  ]);
  await app.as(operator).patch(quotas).send({ files_mb: null });
});

it('lets an organization send four files at the same time', async () => {
  const shares = app.app.get(FileShares);
  const { rows } = await app.pool.query<{ id: number }>(`select id from organizations where slug = 'acme'`);
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const running = [1, 2, 3, 4].map(() => shares.run(rows[0]!.id, () => ended));
  expect((await send(Buffer.from('Hello'))).status).toBe(429);
  end();
  await Promise.all(running);
  expect((await send(Buffer.from('Hello'))).status).toBe(201);
});

it('refuses a page that cannot be', async () => {
  const { status, body } = await app.as(key).get(`${UPLOADS}?after=x`);
  expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, ['after']]);
});
