import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.js';
import { ASK_PATH } from '../../src/cell/forwarding/cell-client.js';
import { Cells } from '../../src/cell/directory/cells.js';
import { FREEZE } from '../../src/cell/directory/freeze.sql.js';
import { idRange } from '../../src/cell/directory/id-range.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import { PROOF_HEADER, prove } from '../../src/cell/forwarding/proof.js';
import { WriteHolds } from '../../src/cell/forwarding/write-holds.js';
import { EventStreams } from '../../src/platform/http/stream/event-stream.js';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET, useCells } from '../support/app/cells.js';
import type { TestCells } from '../support/app/cells.js';
import { Service } from '../support/app/service.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';
import { inboxOf, isQuiet, settleAcmeAndGlobex, triggerOf } from './world.js';

let cells: TestCells;
let first: TestApp;
let second: TestApp;
let keys: { acme: string; globex: string };

useCells(
  async (started) => {
    cells = started;
    [first, second] = cells.apps as [TestApp, TestApp];
    keys = await settleAcmeAndGlobex(cells);
  },
  { ROLE: 'all' },
);

let readers: EventReader[] = [];
beforeEach(() => {
  readers = [];
});
afterEach(() => {
  for (const reader of readers) reader.leave();
});

const idOf = async ({ pool }: TestApp, slug: string) =>
  (await pool.query<{ id: number }>('select id from organizations where slug = $1', [slug])).rows[0]!.id;

it('gives the rows of each cell ids of their own', async () => {
  const { min, max } = idRange(1, 'integer');
  const tables = ['organizations', 'users', 'api_keys', 'events', 'notifications'];
  for (const table of tables) {
    const { rows } = await second.pool.query<{ low: number; high: number }>(
      `select min(id) low, max(id) high from ${table}`,
    );
    expect(rows[0]!.low).toBeGreaterThanOrEqual(Number(min));
    expect(rows[0]!.high).toBeLessThanOrEqual(Number(max));
  }
});

describe('a request to another cell than the one of its organization', () => {
  it('is answered as there', async () => {
    for (const path of ['/api/o/globex/', '/api/o/globex/u/', '/api/o/globex/nothing', '/API/O/globex/u/']) {
      const [there, here] = [await second.as(keys.globex).get(path), await first.as(keys.globex).get(path)];
      expect([here.status, here.headers['content-type']]).toEqual([there.status, there.headers['content-type']]);
      // Links lead to the host that was asked.
      expect(here.text.replaceAll(first.url, second.url)).toBe(there.text);
    }
  });

  it('changes what is there, and the log knows the request', async () => {
    const sent = await first
      .as(keys.globex)
      .post('/api/o/globex/u/')
      .set('X-Request-Id', 'from-afar')
      .send({ email: 'eve@globex.test', first_name: 'é'.repeat(100) });
    expect([sent.status, sent.headers['x-request-id']]).toEqual([201, 'from-afar']);
    const log = await second.as(keys.globex).get('/api/o/globex/audit/');
    expect(log.body).toContainEqual(
      expect.objectContaining({ request_id: 'from-afar', noun: 'user', address: '127.0.0.1' }),
    );
  });

  it('may have a large body, and a wrong one', async () => {
    const context = { text: 'x'.repeat(200_000) };
    expect((await first.as(keys.globex).post(triggerOf('globex')).send({ context })).status).toBe(201);
    const large = { context: { text: 'x'.repeat(300_000) } };
    expect((await first.as(keys.globex).post(triggerOf('globex')).send(large)).status).toBe(413);
    const wrong = await first.as(keys.globex).post(triggerOf('globex')).send({ nothing: 1 });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['nothing']]);
  });

  it('may be a stream', async () => {
    const headers = { Authorization: `Key ${keys.globex}` };
    const reader = await EventReader.open(`${first.url}${inboxOf('globex')}stream/`, headers);
    readers.push(reader);
    expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const had = reader.events.length;
    expect((await first.as(keys.globex).post(triggerOf('globex'))).status).toBe(201);
    const events = await reader.received(had + 1);
    // A client comes back with its last id, to whichever cell.
    const again = await EventReader.open(`${first.url}${inboxOf('globex')}stream/`, {
      ...headers,
      'Last-Event-ID': String(Number(events.at(-1)!.id) - 1),
    });
    readers.push(again);
    expect((await again.received(1)).map(({ id }) => id)).toContain(events.at(-1)!.id);
  });

  it('ends in the other cell when its client leaves', async () => {
    const open = () => second.app.get(EventStreams).list().length;
    await until(10_000, () => open() === 0);
    const reader = await EventReader.open(`${first.url}${inboxOf('globex')}stream/`, {
      Authorization: `Key ${keys.globex}`,
    });
    await until(10_000, () => open() === 1);
    reader.leave();
    await until(10_000, () => open() === 0);
  });

  it('is refused if that cell sends it on', async () => {
    const { places } = second.app.get(DirectoryReplica);
    const place = places.ofSlug('globex')!;
    places.put([{ ...place, cell: 0 }]);
    try {
      const answer = await first.as(keys.globex).get('/api/o/globex/');
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    } finally {
      places.put([place]);
    }
  });
});

describe('nobody can find out which organizations other cells have', () => {
  const PATHS = ['/', '/u/', '/p/shop/a/web/e/', '/u/ann@globex.test/inbox/'];

  it('with a key of another organization, without one, or with a wrong one', async () => {
    const weak = await first.key({ org: 'acme', permissions: ['system:ping'] });
    const old = await first.key({ org: 'acme', expiresAt: new Date(Date.now() - 1000) });
    for (const key of [keys.acme, weak, old, newApiKey(), 'nonsense', undefined]) {
      for (const app of [first, second]) {
        for (const path of PATHS) {
          const answers = await Promise.all(
            ['globex', 'nowhere'].map((org) => app.as(key).get(`/api/o/${org}${path}`)),
          );
          const [foreign, missing] = answers.map(({ status, body }) => ({ status, body }));
          expect(foreign).toEqual(missing);
          expect(foreign!.status).toBe(key === keys.acme ? 404 : key === weak ? 403 : 401);
        }
      }
    }
  });

  it('with a recipient token', async () => {
    const { body } = await first
      .as(keys.acme)
      .post('/api/o/acme/u/ann@acme.test/token/')
      .send({ scopes: ['inbox'] });
    const token = (body as { token: string }).token;
    for (const { url } of [first, second]) {
      const ask = (path: string) => fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
      expect((await ask(inboxOf('acme'))).status).toBe(200);
      const [foreign, missing] = [await ask(inboxOf('globex')), await ask(inboxOf('nowhere'))];
      expect([foreign.status, await foreign.text()]).toEqual([404, await missing.text()]);
    }
  });

  it('by asking as a cell does', async () => {
    const question = { from: 0, to: 1, at: Date.now(), question: { hash: 'ab'.repeat(32) } };
    const nothing = await second.as().get('/cell/nothing');
    const body = (text: string) => text.replace('/cell/ask', '/cell/nothing');
    for (const secret of [null, 'x'.repeat(32)]) {
      const request = second.as().get(ASK_PATH);
      if (secret) void request.set(PROOF_HEADER, prove(question, 'GET', ASK_PATH, secret));
      const answer = await request;
      expect([answer.status, body(answer.text)]).toEqual([404, nothing.text]);
    }
    const proved = await second
      .as()
      .get(ASK_PATH)
      .set(PROOF_HEADER, prove(question, 'GET', ASK_PATH, CELL_SECRET));
    expect([proved.status, proved.body]).toEqual([200, { key: null }]);
  });

  it('and nobody is somebody else by a header', async () => {
    const said = { from: 0, to: 1, at: Date.now(), address: '192.0.2.1', host: 'evil.test', protocol: 'https' };
    const proof = prove(said, 'GET', '/api/o/globex/', 'x'.repeat(32));
    const answer = await second.as(keys.globex).get('/api/o/globex/').set(PROOF_HEADER, proof);
    expect([answer.status, answer.text.includes('evil')]).toEqual([200, false]);
  });
});

describe('a key of another cell', () => {
  it('works where the path names no organization', async () => {
    expect((await first.as(keys.globex).get('/api/system/ping/')).status).toBe(200);
    expect((await first.as(keys.globex).get('/api/dispatchers/')).status).toBe(200);
    const list = await first.as(keys.globex).get('/api/o/');
    expect(list.body).toEqual([expect.objectContaining({ slug: 'globex' })]);
    expect((await first.as(keys.globex).get('/api/session/')).body).toMatchObject({ organization: 'globex' });
  });

  it('signs in, and the session works in every cell until it ends', async () => {
    const page = await first.signIn({ key: keys.globex });
    for (const app of [first, second]) {
      expect((await app.on(page).get('/api/o/globex/')).status).toBe(200);
      expect((await app.on(page).get('/api/session/')).body).toMatchObject({ organization: 'globex', via: 'key' });
    }
    expect((await first.on(page).delete('/api/session/')).status).toBe(204);
    for (const app of [first, second]) expect((await app.on(page).get('/api/o/globex/')).status).toBe(401);
  });

  it('is refused when signing in, if it is wrong', async () => {
    expect((await first.as().post('/api/session/').send({ key: newApiKey() })).status).toBe(401);
    expect((await first.as().post('/api/session/').send({ key: 7 })).status).toBe(400);
    expect((await first.as().post('/api/session/').send({})).status).toBe(400);
  });
});

describe('the key of an operator', () => {
  it('works in every cell, and nowhere once it is revoked', async () => {
    const { text, id } = await second.keyWithId({ name: 'operator' });
    for (const app of [first, second])
      for (const org of ['acme', 'globex']) expect((await app.as(text).get(`/api/o/${org}/`)).status).toBe(200);
    expect((await first.as(text).get('/api/o/nowhere/')).status).toBe(404);
    await second.pool.query('update api_keys set revoked_at = now() where id = $1', [id]);
    await until(20_000, async () => {
      await cells.settle();
      const statuses = await Promise.all(
        [first, second].map(async (app) => (await app.as(text).get('/api/o/acme/')).status),
      );
      return statuses.every((status) => status === 401);
    });
  });

  it('signs in, and the session works in every cell until it ends', async () => {
    const page = await first.signIn({ key: await second.key({ name: 'operator' }) });
    for (const app of [first, second])
      for (const org of ['acme', 'globex']) expect((await app.on(page).get(`/api/o/${org}/`)).status).toBe(200);
    expect((await second.on(page).delete('/api/session/')).status).toBe(204);
    await until(20_000, async () => {
      await cells.settle();
      const statuses = await Promise.all(
        [first, second].map(async (app) => (await app.on(page).get('/api/o/acme/')).status),
      );
      return statuses.every((status) => status === 401);
    });
  });
});

it('opens the page of a link in the cell of its recipient', async () => {
  const organizationId = await idOf(second, 'globex');
  const { rows } = await second.pool.query<{ id: number }>(`select id from users where email = 'ann@globex.test'`);
  const token = second.app.get(UnsubscribeTokens).sign({ organizationId, userId: rows[0]!.id, categoryId: 0 });
  const [there, here] = [
    await second.as().get(`/u/${token}/preferences`),
    await first.as().get(`/u/${token}/preferences`),
  ];
  expect([here.status, here.text]).toEqual([200, there.text]);
  expect((await first.as().get(`/u/${'A'.repeat(44)}`)).status).toBe(404);
});

describe('the slug of an organization', () => {
  it('is unique among all cells', async () => {
    const operator = await first.key();
    const refused = await first.as(operator).post('/api/o/').send({ slug: 'globex', name: 'Again' });
    expect([refused.status, refused.body.errors]).toEqual([400, { slug: ['is already used by another organization'] }]);
    const answers = await Promise.all(
      [first, second, first, second].map((app) => app.as(operator).post('/api/o/').send({ slug: 'race', name: 'R' })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400]);
    await cells.settle();
    for (const app of [first, second]) expect((await app.as(operator).get('/api/o/race/')).status).toBe(200);
  });

  it('is free again once the organization is deleted', async () => {
    const operator = await first.key();
    expect((await first.as(operator).post('/api/o/').send({ slug: 'brief', name: 'B' })).status).toBe(201);
    await cells.settle();
    expect((await second.as(operator).delete('/api/o/brief/')).status).toBe(204);
    expect((await second.as(operator).post('/api/o/').send({ slug: 'brief', name: 'B' })).status).toBe(201);
    expect(await cells.directory.place('brief')).toMatchObject({ cell: 1, state: 'here' });
  });
});

describe('an organization that moves', () => {
  afterEach(async () => {
    await second.pool.query('delete from organization_freezes');
    await cells.directory.setHere('globex', await idOf(second, 'globex'), 1);
    await cells.settle();
  });

  const expectQuiet = async () => {
    for (const app of [first, second]) {
      const write = await app.as(keys.globex).post(triggerOf('globex'));
      expect([write.status, write.headers['retry-after']]).toEqual([503, '2']);
      expect((await app.as(keys.globex).get('/api/o/globex/')).status).toBe(200);
      expect((await app.as(keys.acme).post(triggerOf('acme'))).status).toBe(201);
    }
  };

  it('is read, but not written, while the directory says so', async () => {
    expect(await cells.directory.setMoving('globex', await idOf(second, 'globex'), 1, 2)).toBe(true);
    await cells.settle();
    await expectQuiet();
  });

  it('is not quiet before the last write has ended, and takes no other', async () => {
    const id = await idOf(second, 'globex');
    const holds = second.app.get(WriteHolds);
    const leave = await holds.enter(id);
    await second.pool.query(FREEZE, [id]);
    expect(await isQuiet(second, id)).toBe(false);
    leave();
    await until(10_000, () => isQuiet(second, id));
    // No process has heard of the freeze yet.
    const write = await second.as(keys.globex).post(triggerOf('globex'));
    expect([write.status, write.headers['retry-after']]).toEqual([503, '2']);
  });

  it('is read, but not written, while it is frozen in its cell', async () => {
    await second.pool.query('insert into organization_freezes (organization_id) values ($1)', [
      await idOf(second, 'globex'),
    ]);
    await cells.settle();
    await expectQuiet();
  });
});

it('lists the cells, and finds what is wrong with them', async () => {
  const { number, url, secret, directoryUrl } = second.app.get(Cells).settings;
  const env = { DATABASE_URL: second.databaseUrl, CELL: String(number), CELL_URL: url, CELL_SECRET: secret };
  const settings = { ...env, DIRECTORY_URL: directoryUrl };
  const [list, doctor] = await Promise.all([
    Service.run(['cells', '--json'], settings),
    Service.try(['doctor', '--json'], { ...settings, CELL_URL: 'http://127.0.0.1:9' }),
  ]);
  expect(JSON.parse(list)).toMatchObject([
    { number: 0, state: 'up', url: first.url, moving: 0 },
    { number: 1, state: 'up', url: second.url, moving: 0 },
  ]);
  expect(JSON.parse(doctor.stdout).checks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'ids', ok: true }),
      expect.objectContaining({ name: 'directory', ok: false }),
      expect.objectContaining({ name: 'cell 0', ok: true }),
      expect.objectContaining({ name: 'cell 1', ok: true }),
    ]),
  );
});
