import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { hashSecret, newApiKey } from '../../src/auth/api-key.js';
import { ASK_PATH } from '../../src/cell/forwarding/cell-client.js';
import type { Question } from '../../src/cell/forwarding/cell-client.js';
import { RemoteKeys } from '../../src/cell/forwarding/remote-keys.js';
import { WrongKeys } from '../../src/auth/quota/rate-limit.js';
import { PROOF_HEADER, prove } from '../../src/cell/forwarding/proof.js';
import { idRange } from '../../src/cell/directory/id-range.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import { Database } from '../../src/platform/database/database.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { createLink } from '../../src/api/session/session-rows.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET } from '../support/app/cells.js';
import { Statements } from '../support/app/statements.js';
import { Clock } from '../support/clock.js';
import { until } from '../support/until.js';
import { usePlayedCell } from './played-cell.js';
import type { PlayedCell } from './played-cell.js';

let app: TestApp;
let other: PlayedCell;
usePlayedCell(async (...cells) => {
  [app, other] = cells;
  await elsewhere().onModuleDestroy(); // the tests say when it refreshes
});
afterEach(() => app.pool.query('delete from api_keys where id >= $1', [ids(1)]));

const elsewhere = () => app.app.get(RemoteKeys);
const refresh = () => elsewhere().refresh();
const ids = (cell: number) => Number(idRange(cell, 'integer').min);
const ping = (key: string) => app.as(key).get('/api/system/ping/');

type Row = Record<string, unknown>;

let made = 0;
/** The key of an operator as another cell has it. */
async function keyOf(cell: number, changes: Row = {}): Promise<{ text: string; row: Row }> {
  const { text, id } = await app.keyWithId({ name: 'operator' });
  const row = await stored(id);
  await app.pool.query('delete from api_keys where id = $1', [id]);
  return { text, row: { ...row, id: ids(cell) + ++made, ...changes } };
}

const foreign = (row: Row, more: Row = {}) => ({
  key: {
    ...{ cell: 1, organizationId: null, slug: null, row, parent: null, permissions: row.permissions },
    ...{ lastsUntil: null, isLive: true },
    ...more,
  },
});

const stored = async (id: unknown) =>
  (await app.pool.query<{ row: Row }>('select row_to_json(k) "row" from api_keys k where id = $1', [id])).rows[0]?.row;

/** As if the other cell had given it before. */
async function copied(row: Row): Promise<void> {
  await app.pool.query('insert into api_keys select * from json_populate_record(null::api_keys, $1::json)', [
    JSON.stringify(row),
  ]);
}

describe('a key that this cell does not know', () => {
  it('is asked for once, and then is wrong for some seconds', async () => {
    const key = newApiKey();
    for (const path of ['/api/system/ping/', '/api/session/', '/api/o/'])
      expect((await app.as(key).get(path)).status).toBe(401);
    expect(other.questions).toEqual([{ hash: hashSecret(key, 'key') }]);
    // Nobody can have one that looks otherwise.
    expect((await app.as('nonsense').get('/api/session/')).status).toBe(401);
    expect(other.questions).toHaveLength(1);
  });

  it('is asked for again after five seconds', () =>
    Clock.stopped(async (clock) => {
      const lookUp = async (afterMs: number) => {
        await clock.pass(afterMs);
        await elsewhere().find('ab'.repeat(32), '192.0.2.1');
        return other.questions.length;
      };
      expect([await lookUp(0), await lookUp(4999), await lookUp(2)]).toEqual([1, 1, 2]);
    }));

  it('is copied if it is an operator’s', async () => {
    const { text, row } = await keyOf(1);
    other.answer = () => foreign(row);
    expect((await ping(text)).status).toBe(200);
    // The service notes its use after the answer.
    expect({ ...(await stored(row.id)), last_used_at: null }).toEqual({ ...row, last_used_at: null });
    await until(10_000, async () => (await stored(row.id))?.last_used_at);
    expect((await app.as(text).get('/api/o/acme/')).status).toBe(200);
    expect(other.questions).toHaveLength(1);
    const { rows } = await app.pool.query<{ actor: string }>(
      'select actor from audit_entries order by id desc limit 1',
    );
    expect(rows).toEqual([{ actor: 'cell 1' }]);
  });

  it('is copied with the key that its session belongs to', async () => {
    const parent = await keyOf(1);
    const session = await keyOf(1, { parent_id: parent.row.id, via: 'key', expires_at: '2999-01-01T00:00:00Z' });
    other.answer = () => foreign(session.row, { parent: parent.row });
    expect((await ping(session.text)).status).toBe(401); // it is no key
    expect([await stored(parent.row.id), await stored(session.row.id)]).toMatchObject([
      { via: null },
      { parent_id: parent.row.id },
    ]);
  });

  it('never replaces a key of this cell, and is never copied if it is of an organization', async () => {
    const own = await app.keyWithId({ name: 'own' });
    const before = await stored(own.id);
    const { text, row } = await keyOf(1);
    other.answer = () => foreign({ ...row, id: own.id, name: 'stolen' });
    expect((await ping(text)).status).toBe(401);
    expect(await stored(own.id)).toEqual(before);
    const { rows } = await app.pool.query<{ id: number }>(`select id from organizations where slug = 'acme'`);
    const inside = await keyOf(1, { organization_id: rows[0]!.id });
    other.answer = () => foreign(inside.row);
    expect((await ping(inside.text)).status).toBe(401);
    expect(await stored(inside.row.id)).toBeUndefined();
  });

  it('of an organization is answered there, or refused here as it would be there', async () => {
    const { text, row } = await keyOf(1, { organization_id: ids(1) + 1 });
    other.answer = () => foreign(row, { organizationId: ids(1) + 1, slug: 'globex' });
    expect((await ping(text)).status).toBe(200);
    const there = await app.as(text).get('/api/session/');
    expect([there.status, there.text]).toEqual([200, 'there']);
    expect((await app.as(text).get('/api/o/acme/')).status).toBe(404);
    expect(await stored(row.id)).toBeUndefined();
  });

  it('of an organization that this cell has not heard of is a 503 there, and a session is no key', async () => {
    const organizationId = ids(1) + 1;
    const given = async (changes: Row, more: Row = {}) => {
      const { text, row } = await keyOf(1, { organization_id: organizationId, ...changes });
      other.answer = () => foreign(row, { organizationId, slug: 'initech', ...more });
      return text;
    };
    const { status, body } = await app.as(await given({})).get('/api/o/initech/');
    expect([status, body]).toMatchObject([503, { detail: expect.stringContaining('lives in another cell') }]);
    expect((await ping(await given({ via: 'key', expires_at: '2999-01-01T00:00:00Z' }))).status).toBe(401);
    expect((await ping(await given({}, { isLive: false }))).status).toBe(401);
  });

  it('is a 503 while a cell that may know it does not answer', async () => {
    await other.appearTo(app, 'http://127.0.0.1:9');
    try {
      const answer = await ping(newApiKey());
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
      // A cell that nobody has seen for an hour is not waited for.
      await Clock.stopped(async () => {
        const { places } = app.app.get(DirectoryReplica);
        const seenAt = new Date(Date.now() - 3_600_000);
        places.putCells(places.allCells().map((cell) => ({ ...cell, seenAt })));
        expect((await ping(newApiKey())).status).toBe(401);
      });
    } finally {
      await other.appearTo(app);
    }
  });

  it('is not asked for by somebody who has sent too many wrong ones', async () => {
    const wrong = jest.spyOn(app.app.get(WrongKeys), 'isTooMany').mockReturnValue(true);
    const [first, second] = [newApiKey(), newApiKey()];
    expect((await ping(first)).status).toBe(401);
    expect([wrong.mock.lastCall, other.questions]).toEqual([['127.0.0.1'], []]);
    wrong.mockReturnValue(false);
    expect((await ping(second)).status).toBe(401);
    expect(other.questions).toHaveLength(1);
  });

  it('waits for no more than 63 others', async () => {
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    other.answer = () => held.then(() => ({ key: null }));
    const hash = (n: number) => n.toString(16).padStart(64, '0');
    const asked = Array.from({ length: 64 }, (_, n) => elsewhere().find(hash(n), '192.0.2.1'));
    await until(10_000, () => other.questions.length === 64);
    await expect(elsewhere().find(hash(64), '192.0.2.1')).rejects.toThrow('Too many unknown keys are looked up.');
    goOn();
    expect(await Promise.all(asked)).toEqual(asked.map(() => null));
    expect(await elsewhere().find(hash(64), '192.0.2.1')).toBeNull();
  });
});

describe('an operator of the other cell', () => {
  /** From now on this cell has only a copy of it. */
  const giveAway = (id: number) => app.pool.query('update api_keys set id = $2 where id = $1', [id, ids(1) + ++made]);
  const newest = async () =>
    (await app.pool.query<{ id: number }>('select id from api_keys order by created_at desc, id desc limit 1')).rows[0]!
      .id;

  it('signs in here with a key, and there with a link', async () => {
    const { text, row } = await keyOf(1);
    await copied(row);
    expect((await app.as().post('/api/session/').send({ key: text })).status).toBe(201);
    const link = await app.app.get(PrismaService).change({ actor: 'test' }, (tx) => createLink(tx, null));
    await giveAway(await newest());
    const there = await app.as().post('/api/session/').send({ link });
    expect([there.status, there.text]).toEqual([200, 'there']);
    expect(JSON.parse(other.forwarded.at(-1)!.body)).toEqual({ link });
  });

  it('sees the session here, and ends it there', async () => {
    const page = await app.signIn({ key: await app.key() });
    await giveAway(await newest());
    expect((await app.on(page).get('/api/session/')).body).toMatchObject({ via: 'key' });
    expect((await app.on(page).delete('/api/session/')).text).toBe('there');
  });
});

describe('a copy of the key of an operator', () => {
  const originalsIn = (question: Question) => ('originals' in question ? question.originals : []);

  it('becomes as its original is', async () => {
    const { row } = await keyOf(1, { last_used_at: '2030-01-01T00:00:00+00:00' });
    await copied(row);
    const changed = { ...row, name: 'new', permissions: ['system:ping'], revoked_at: '2030-01-02T00:00:00+00:00' };
    other.answer = () => ({ rows: [changed] });
    const change = jest.spyOn(app.app.get(PrismaService), 'change');
    await refresh();
    expect(change.mock.calls.filter(([by]) => by.actor === 'cell 1')).toHaveLength(1);
    expect(other.questions).toEqual([{ originals: [[row.id, '2030-01-01T00:00:00.000Z']] }]);
    expect(await stored(row.id)).toEqual(changed);
  });

  it('is checked every two seconds until the service stops', async () => {
    const { row } = await keyOf(1);
    await copied(row);
    other.answer = () => ({ rows: [{ ...row, name: 'new' }] });
    const [every, end] = [jest.spyOn(globalThis, 'setInterval'), jest.spyOn(globalThis, 'clearInterval')];
    elsewhere().onModuleInit();
    const [check, ms] = every.mock.lastCall!;
    expect(ms).toBe(2000);
    check();
    // A check that has begun comes to its end.
    await elsewhere().onModuleDestroy();
    expect(end.mock.lastCall).toEqual([every.mock.results[0]!.value]);
    expect(await stored(row.id)).toMatchObject({ name: 'new' });
  });

  it('keeps the later time of its last use', async () => {
    const { row } = await keyOf(1, { last_used_at: '2030-01-02T00:00:00+00:00' });
    await copied(row);
    other.answer = () => ({ rows: [{ ...row, last_used_at: '2030-01-01T00:00:00+00:00' }] });
    await refresh();
    expect(await stored(row.id)).toEqual(row);
    other.answer = () => ({ rows: [{ ...row, last_used_at: '2030-01-03T00:00:00+00:00' }] });
    await refresh();
    expect(await stored(row.id)).toMatchObject({ last_used_at: '2030-01-03T00:00:00+00:00' });
  });

  it('goes when its original is gone', async () => {
    const [stays, goes] = [await keyOf(1, { last_used_at: null }), await keyOf(1, { last_used_at: null })];
    await copied(stays.row);
    await copied(goes.row);
    // A key of an organization that has moved here is no copy.
    const { rows } = await app.pool.query<{ id: number }>(`select id from organizations where slug = 'acme'`);
    const own = await keyOf(1, { organization_id: rows[0]!.id });
    await copied(own.row);
    other.answer = () => ({ rows: [stays.row] });
    await refresh();
    expect(await stored(own.row.id)).toEqual(own.row);
    expect(other.questions.map(originalsIn)).toEqual([
      [
        [stays.row.id, null],
        [goes.row.id, null],
      ],
    ]);
    expect([await stored(stays.row.id), await stored(goes.row.id)]).toEqual([stays.row, undefined]);
  });

  it('and the key that it belongs to are brought up to date in whatever order the other cell names them', async () => {
    const parent = await keyOf(1);
    const session = await keyOf(1, { parent_id: parent.row.id, via: 'key', expires_at: '2999-01-01T00:00:00+00:00' });
    await copied(parent.row);
    await copied(session.row);
    // The other cell has given them new names.
    const rows = [session.row, parent.row].map((row) => ({ ...row, name: 'renamed' }));
    other.answer = () => ({ rows });
    await refresh();
    expect([await stored(parent.row.id), await stored(session.row.id)]).toMatchObject([
      { name: 'renamed' },
      { name: 'renamed' },
    ]);
  });

  it('stays while its cell is not known, or does not answer', async () => {
    const [unknown, silent] = [await keyOf(2), await keyOf(1)];
    await copied(unknown.row);
    await copied(silent.row);
    other.answer = 'silent';
    await refresh();
    expect([await stored(unknown.row.id), await stored(silent.row.id)]).toEqual([unknown.row, silent.row]);
    expect(other.questions.map(originalsIn)).toEqual([[[silent.row.id, null]]]);
  });

  it('stays as it is when this cell cannot write, and the log says why', async () => {
    const { row } = await keyOf(1);
    await copied(row);
    other.answer = () => ({ rows: [{ ...row, name: 'new' }] });
    jest.spyOn(app.app.get(PrismaService), 'change').mockRejectedValueOnce(new Error('broken'));
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await refresh();
    expect(warned).toHaveBeenCalledWith({ message: 'could not check keys of operators', error: 'broken' });
    expect(await stored(row.id)).toEqual(row);
  });

  it('is asked for together with 99 others at most', async () => {
    const { row } = await keyOf(1);
    const hash = (n: number) => `\\x${n.toString(16).padStart(64, '0')}`;
    for (let n = 1; n <= 101; n++) await copied({ ...row, id: ids(1) + 1000 + n, hash: hash(n) });
    await refresh();
    expect(other.questions.map((question) => originalsIn(question).length)).toEqual([100, 1]);
  });
});

describe('a question of the other cell', () => {
  const ask = async (question: unknown, path = ASK_PATH) =>
    app
      .as()
      .get(path)
      .set(PROOF_HEADER, prove({ from: 1, to: 0, at: Date.now(), question } as never, 'GET', path, CELL_SECRET));
  const about = async (key: string) => (await ask({ hash: hashSecret(key, 'key') })).body as { key: Row | null };

  it('is answered for keys of this cell only', async () => {
    const own = await app.keyWithId({ org: 'acme' });
    const operator = await app.keyWithId({ name: 'operator' });
    expect(await about(own.text)).toMatchObject({ key: { id: own.id, cell: 0, slug: 'acme', isLive: true } });
    expect(await about(operator.text)).toMatchObject({ key: { id: operator.id, cell: 0, slug: null } });
    expect(await about(newApiKey())).toEqual({ key: null });
    const copy = await keyOf(1);
    await copied(copy.row);
    expect(await about(copy.text)).toEqual({ key: null });
    // What an organization left here when it moved away.
    const { places } = app.app.get(DirectoryReplica);
    const place = places.ofSlug('acme')!;
    places.put([{ ...place, cell: 1 }]);
    try {
      expect(await about(own.text)).toEqual({ key: null, isMoving: true });
    } finally {
      places.put([place]);
    }
  });

  it('is told whether a session has ended', async () => {
    const session = await app.signIn({ key: await app.key({ org: 'acme' }) });
    const text = session.Cookie.split('=')[1]!;
    const isLive = async () => ((await ask({ hash: hashSecret(text, 'session') })).body as { key: Row }).key.isLive;
    expect(await isLive()).toBe(true);
    await app.pool.query('update api_keys set expires_at = now() where via is not null');
    expect(await isLive()).toBe(false);
  });

  it('says when copies were used, and is told what their originals are now', async () => {
    const used = await app.keyWithId({ name: 'used' });
    const unused = await app.keyWithId({ name: 'unused' });
    const inside = await app.keyWithId({ org: 'acme' });
    const at = '2030-01-01T00:00:00+00:00';
    const originals = [
      [used.id, at],
      [unused.id, null],
      [inside.id, at],
      [1_000_000, at],
    ];
    const { body } = await ask({ originals });
    expect((body as { rows: Row[] }).rows.map(({ id, last_used_at: last }) => [id, last])).toEqual([
      [used.id, at],
      [unused.id, null],
    ]);
    expect(await stored(inside.id)).toMatchObject({ last_used_at: null });
    const sent = new Statements(app.app.get(Database));
    await ask({ originals: [[unused.id, null]] });
    expect(sent.names).toContain('find-originals');
    expect(sent.names).not.toContain('touch-originals');
    await ask({ originals: [[used.id, '2029-01-01T00:00:00+00:00']] });
    expect(await stored(used.id)).toMatchObject({ last_used_at: at });
    await ask({ originals: [[used.id, '2031-01-01T00:00:00+00:00']] });
    expect(await stored(used.id)).toMatchObject({ last_used_at: '2031-01-01T00:00:00+00:00' });
  });

  it('is no question at another path', async () => {
    expect((await ask({ hash: 'ab' }, '/api/system/ping/')).status).toBe(401);
    expect((await ask({ hash: 'ab' }, '/cell/asked')).status).toBe(404);
  });

  it('that fails is a 503', async () => {
    jest.spyOn(elsewhere(), 'answer').mockRejectedValue(new Error('no'));
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const answer = await ask({ hash: 'ab' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(warned).toHaveBeenCalledWith({ message: 'could not answer a cell', cell: 1, error: 'no' });
  });
});
