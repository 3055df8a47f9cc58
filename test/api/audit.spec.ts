import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sealAll } from '../../src/platform/audit/seal-entries.js';
import { verifyChain } from '../../src/platform/audit/verify-chain.js';
import type { Head } from '../../src/platform/audit/verify-chain.js';
import { Database } from '../../src/platform/database/database.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { invalid } from '../support/contract/problems.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';
import { signingSecret } from '../support/world/signing-secret.js';

interface Entry {
  id: number;
  key: number | null;
  actor: string;
  request_id: string | null;
  address: string | null;
  verb: string;
  noun: string;
  name: string | null;
  count: number;
  changes: Record<string, unknown[]> | null;
}

let app: TestApp;
let key: { id: number; text: string };

beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.keyWithId({ org: 'acme', name: 'ci' });
});
afterAll(() => app.stop());

async function entries(after = 0, org = 'acme'): Promise<Entry[]> {
  const query = after ? `?limit=1000&after=${after}` : '?limit=1000';
  const { body } = await app
    .as(await app.key())
    .get(`/api/o/${org}/audit/${query}`)
    .expect(200);
  return body as Entry[];
}

const seal = () => sealAll(app.app.get(PrismaService));

async function idOf(org: string): Promise<number> {
  return (await app.pool.query<{ id: number }>('select id from organizations where slug = $1', [org])).rows[0]!.id;
}

const verified = async (earlier: Head | null = null) => verifyChain(app.app.get(Database), await idOf('acme'), earlier);

/** What an attacker with all rights in the database can do. */
async function tamper(sql: string): Promise<void> {
  await app.pool.query(`begin; alter table audit_entries disable trigger user; ${sql};
                        alter table audit_entries enable trigger user; commit`);
}

/** The entries that something leaves, without who and when. */
async function left(work: () => Promise<unknown>) {
  const before = Math.max(0, ...(await entries()).map(({ id }) => id));
  await work();
  return (await entries(before)).map(({ verb, noun, name, count, changes }) => ({ verb, noun, name, count, changes }));
}

describe('the list of the audit log', () => {
  let ids: number[];
  let operator: string;
  const idsOf = async (query: string) => {
    const { status, body } = await app.as(operator).get(`/api/o/logged/audit/?${query}`);
    return status === 200 ? (body as Entry[]).map(({ id }) => ids.indexOf(id)) : [status, body];
  };

  beforeAll(async () => {
    await app.apply('organizations: [{ slug: logged, name: Logged }]');
    operator = await app.key();
    // Far in the future, and apart from the entries of the organization itself. The fifth began before the fourth, and was written after it.
    const { rows } = await app.pool.query<{ id: string }>(
      `insert into audit_entries (organization_id, at, actor, verb, noun, name)
       select (select id from organizations where slug = 'logged'), at::timestamptz, actor, 'update', noun, name
       from (values ('2090-01-01T00:00:00Z', 'ci', 'channel', 'shop/mail'), ('2090-01-05T00:00:00Z', 'apply', 'event', 'shop/web/paid'),
                    ('2090-01-09T00:00:00Z', 'ci', 'user', 'a%b@acme.test'), ('2090-01-09T00:00:02Z', 'ci', 'event', 'depot/gate/opened'),
                    ('2090-01-09T00:00:01Z', 'apply', 'channel', null)) e(at, actor, noun, name)
       returning id`,
    );
    ids = rows.map(({ id }) => Number(id));
  });

  it.each([
    ['actor=ci', [0, 2, 3]],
    ['actor=ci&order=desc', [3, 2, 0]],
    ['actor=ci&order=asc&limit=2', [0, 2]],
    ['noun=event&order=desc', [3, 1]],
    ['noun=nothing', []],
    ['name=shop/', [0, 1]],
    ['name=a%25', [2]],
    ['name=%25', []],
    ['since=2089-01-01T00:00:00Z&order=desc', [4, 3, 2, 1, 0]],
    ['since=2089-01-01T00:00:00Z&until=2090-01-09T00:00:01Z', [0, 1, 2]],
    ['since=2090-01-09T00:00:01Z&until=2090-02-01T00:00:00Z', [3, 4]],
    ['since=2090-01-09T00:00:02Z&until=2090-02-01T00:00:00Z&noun=event&actor=ci&name=depot/', [3]],
    ['since=2090-01-02T00:00:00Z&until=2090-01-08T00:00:00Z', [1]],
    ['since=9999-12-31T23:59:59Z', []],
    ['until=0000-01-01T00:00:00Z', []],
  ])('may be only those with ?%s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it('goes on page by page, newest first', async () => {
    expect(await idsOf(`order=desc&since=2089-01-01T00:00:00Z&limit=2&after=${ids[3]}`)).toEqual([2, 1]);
    expect(await idsOf(`since=2089-01-01T00:00:00Z&limit=2&after=${ids[3]}`)).toEqual([4]);
  });

  it.each([
    ['order=new', { order: ['must be one of asc, desc'] }],
    ['since=yesterday', { since: ['must be a time with its zone, such as 2030-01-01T08:00:00Z'] }],
    ['noun=a&noun=b', { noun: ['must be given once, as text'] }],
    ['order=desc&after=x', { after: ['must be taken from the Link header of the page before'] }],
  ])('refuses ?%s', async (query, errors) => {
    expect(await idsOf(query)).toEqual([400, invalid(errors)]);
  });
});

describe('the audit log', () => {
  it('says who made each change, with the key, its name, the request and the address', async () => {
    const before = (await entries()).length;
    const asKey = app.as(key.text).set('X-Request-Id', 'req-17');
    await asKey.patch('/api/o/acme/u/ann@acme.test/').send({ last_name: 'Li' }).expect(200);
    const [entry, ...more] = (await entries()).slice(before);
    expect(more).toEqual([]);
    expect(entry).toEqual({
      ...{ id: expect.any(Number), at: expect.stringMatching(/^20\d\d-.*Z$/) },
      ...{ key: key.id, actor: 'ci', request_id: 'req-17', address: '127.0.0.1' },
      ...{ verb: 'update', noun: 'user', name: 'ann@acme.test', count: 1 },
      changes: { last_name: ['Lee', 'Li'] },
    });
  });

  it('knows what the command line did, and what was done by hand in the database', async () => {
    const applied = (await entries()).filter(({ actor }) => actor === 'carillon apply');
    expect(applied.map(({ verb, noun, name }) => `${verb} ${noun} ${name}`)).toEqual(
      expect.arrayContaining([
        'create organization acme',
        'create channel mail',
        'create channel shop/hook',
        'create event shop/web/order-paid',
        'create member shop/Staff/ann@acme.test',
      ]),
    );
    expect(applied.filter(({ address }) => address !== null)).toEqual([]);
    const byHand = await left(() => app.pool.query(`update projects set name = 'Store' where slug = 'shop'`));
    expect(byHand).toEqual([
      { verb: 'update', noun: 'project', name: 'shop', count: 1, changes: { name: ['Shop', 'Store'] } },
    ]);
    expect((await entries()).at(-1)).toMatchObject({
      ...{ key: null, actor: 'database user carillon', request_id: null, address: null },
    });
  });

  it('shows of a secret only that it changed', async () => {
    const channel = (url: string, secret: string) =>
      app.apply(`organizations: [{ slug: acme, name: Acme Inc, projects: [{ slug: shop, name: Store, channels:
        [{ slug: hook, name: Hook, type: webhook, config: { url: "${url}", secret: ${secret} } }] }] }]`);
    await channel('http://127.0.0.1:9000/in', signingSecret('first-secret-of-all'));
    const changed = await left(() => channel('http://127.0.0.1:9001/in', signingSecret('second-secret-of-all')));
    expect(changed).toEqual([
      {
        ...{ verb: 'update', noun: 'channel', name: 'shop/hook', count: 1 },
        changes: {
          'config.url': ['http://127.0.0.1:9000/in', 'http://127.0.0.1:9001/in'],
          'config.secret': ['***', '***'],
        },
      },
    ]);
    expect(JSON.stringify(await entries())).not.toMatch(/sealed|whsec_|hash/);
  });

  it('leaves out what is no news', async () => {
    expect(await left(() => app.as(key.text).get('/api/system/ping/').expect(200))).toEqual([]);
    expect(await left(() => app.apply(ACME_AND_GLOBEX.replaceAll('Shop', 'Store')))).toMatchObject([
      { verb: 'update', noun: 'user', name: 'ann@acme.test', changes: { last_name: ['Li', 'Lee'] } },
      { verb: 'update', noun: 'channel', name: 'shop/hook' },
    ]);
  });

  it('makes one entry of many together', async () => {
    const { body } = await app.as(key.text).get('/api/o/acme/p/shop/d/').expect(200);
    const list = (body as { id: number }[])[0]!.id;
    const people = Array.from({ length: 21 }, (_, i) => `new${i}@acme.test`);
    const added = await left(() => app.as(key.text).post(`/api/o/acme/p/shop/d/${list}/add/`).send(people).expect(200));
    expect(added).toEqual(
      ['user', 'address', 'member'].map((noun) => ({ verb: 'create', noun, name: null, count: 21, changes: null })),
    );
  });

  it('notes what is done to an occurrence', async () => {
    const event = '/api/o/acme/p/shop/a/web/e/order-paid';
    const { body } = await app.as(key.text).post(`${event}/trigger/`).send({}).expect(201);
    const { occurrence } = body as { occurrence: string };
    const steered = await left(async () => {
      await app.as(key.text).post(`/api/o/acme/occurrences/${occurrence}/replay/`).expect(201);
      await app.as(key.text).post(`/api/o/acme/occurrences/${occurrence}/cancel/`).expect(200);
    });
    expect(steered.map(({ verb, noun, name }) => [verb, noun, name])).toEqual([
      ['replay', 'occurrence', occurrence],
      ['cancel', 'occurrence', occurrence],
    ]);
  });

  it('cannot be changed, deleted or emptied', async () => {
    for (const sql of [`update audit_entries set actor = 'x'`, 'delete from audit_entries', 'truncate audit_entries'])
      await expect(app.pool.query(sql)).rejects.toThrow('the audit log is append-only');
  });

  it('outlives the organization, for nobody to see under its name', async () => {
    await app.apply('organizations: [{ slug: initech, name: Initech }]');
    await app.pool.query(`delete from organizations where slug = 'initech'`);
    const operator = app.as(await app.key());
    await operator.get('/api/o/initech/audit/').expect(404);
    const { rows } = await app.pool.query(
      `select from audit_entries where verb = 'delete' and noun = 'organization' and name = 'initech'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('names what goes together with its parent by its whole path', async () => {
    await app.apply(`organizations: [{ slug: umbrella, name: Umbrella, users: [{ email: una@umbrella.test }],
      channels: [{ slug: mail, name: Mail, type: log }],
      projects: [{ slug: q, name: Q, channels: [{ slug: own, name: Own, type: log }],
        distribution_lists: [{ name: Staff, members: [una@umbrella.test] }],
        applications: [{ slug: web, name: Web, events: [{ slug: x, name: X, notifications:
          [{ name: Tell, distribution_list: Staff, templates: [{ channel: mail, text: Hi }] }] }] }] }] }]`);
    const deleted = async (sql: string) => {
      const before = Math.max(...(await entries(0, 'umbrella')).map(({ id }) => id));
      await app.pool.query(sql);
      return (await entries(before, 'umbrella')).map(({ verb, noun, name }) => `${verb} ${noun} ${name}`);
    };
    expect(await deleted(`delete from events where slug = 'x'`)).toEqual([
      'delete template q/web/x/Tell/mail',
      'delete notification list q/web/x/Tell/Staff',
      'delete notification q/web/x/Tell',
      'delete event q/web/x',
    ]);
    expect(await deleted(`delete from projects where slug = 'q'`)).toEqual([
      'delete application q/web',
      'delete member q/Staff/una@umbrella.test',
      'delete distribution list q/Staff',
      'delete channel q/own',
      'delete project q',
    ]);
  });

  it('forgets the data of a deleted person, in all entries about them', async () => {
    const { body } = await app
      .as(key.text)
      .post('/api/o/acme/u/')
      .send({ email: 'zoe@acme.test', first_name: 'Zoe', last_name: 'Quill', custom_fields: { team: 'secret-team' } })
      .expect(201);
    const { id } = body as { id: number };
    const asKey = () => app.as(key.text);
    const { body: lists } = await asKey().get('/api/o/acme/p/shop/d/').expect(200);
    const list = (lists as { id: number }[])[0]!.id;
    await asKey()
      .post('/api/o/acme/u/zoe@acme.test/address/')
      .send({ name: 'phone', value: '+15550000001' })
      .expect(200);
    await asKey().post(`/api/o/acme/p/shop/d/${list}/add/`).send(['zoe@acme.test']).expect(200);
    await seal();
    await asKey().patch('/api/o/acme/u/zoe@acme.test/').send({ last_name: 'Quail' }).expect(200);
    const before = (await entries()).filter(({ name }) => name?.includes('zoe@'));
    expect(before.length).toBe(5);
    await asKey().delete('/api/o/acme/u/zoe@acme.test/').expect(204);

    const all = await entries();
    expect(JSON.stringify(all)).not.toMatch(/zoe@|Zoe|Quill|Quail|secret-team|15550000001/);
    const about = all.filter(({ name }) => name?.endsWith(`[user ${id}]`));
    expect(about.map(({ verb, noun, name }) => `${verb} ${noun} ${name}`)).toEqual([
      `create user [user ${id}]`,
      `create address [user ${id}]`,
      `create address [user ${id}]`,
      `create member shop/Staff/[user ${id}]`,
      `update user [user ${id}]`,
      `delete user [user ${id}]`,
      `delete address [user ${id}]`,
      `delete address [user ${id}]`,
      `delete member shop/Staff/[user ${id}]`,
    ]);
    expect(about[4]!.changes).toEqual({ last_name: ['[redacted]', '[redacted]'] });
    expect(about[0]!.changes).toMatchObject({ email: [null, '[redacted]'] });
    // Entries about others are as before.
    expect(all.find(({ name }) => name === 'shop/Staff/ann@acme.test')!.changes).not.toBeNull();
    await seal();
    expect(await verified()).toMatchObject({ problem: null, redacted: 4 });
  });

  it('is not for a key of one project', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop' });
    const { body } = await app.as(bound).get('/api/o/acme/audit/').expect(403);
    expect(body).toMatchObject({ detail: expect.stringContaining('Use a key for the whole organization') });
  });
});

describe('the chain of the audit log', () => {
  const verify = (args: string[], file?: string) =>
    cli(['audit', 'verify', ...args], { DATABASE_URL: app.databaseUrl }, file);

  it('is checked by carillon audit verify, which also notices a chain that was rewritten', async () => {
    const first = await verify(['--json']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    const count = (await entries()).length;
    expect(JSON.parse(first.stdout)).toEqual({
      ok: true,
      chains: expect.arrayContaining([
        {
          ...{ organization: 'acme', organization_id: await idOf('acme'), entries: count },
          ...{ redacted: expect.any(Number), begins_at: null, problem: null },
          head: { position: count, seal: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      ]),
    });
    // A chain with seals of its own. Nothing in the database shows that it is another one.
    await tamper(`update audit_entries set actor = 'x', position = null, salt = null, digest = null, seal = null`);
    const alone = await verify(['--org', 'acme']);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining(`acme: ${count} entries intact`)]);
    const compared = await verify(['--heads', 'FILE'], first.stdout);
    expect([compared.code, compared.stdout]).toEqual([
      1,
      expect.stringMatching(/^acme: BROKEN .*it has another seal than in --heads: the chain was rewritten$/m),
    ]);
    expect(await verify(['--heads', 'FILE'], '{}')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('is not what npx carillon audit verify --json prints') },
    });
    expect(await verify(['--org', 'nowhere'])).toMatchObject({
      ...{ code: 1, stderr: 'carillon: the audit log has no organization nowhere\n' },
    });
  });

  // From the end to the beginning: each breaks an entry before the last one.
  it.each([
    [9, 'a changed actor', `update audit_entries set actor = 'y'`, 'it does not match its seal'],
    [8, 'a changed time', `update audit_entries set at = at + interval '1 s'`, 'it does not match its seal'],
    [7, 'a changed value', `update audit_entries set changes = '{}'`, 'its name or its changes were altered'],
    [6, 'a removed value', `update audit_entries set changes = null, salt = null`, 'its details were removed'],
    [5, 'a missing entry before it', `delete from audit_entries`, 'the entries from position 5 to 5 are gone'],
  ])('says that entry %d is the first that is wrong, with %s', async (position, _, sql, problem) => {
    await tamper(`${sql} where position = ${position} and organization_id = ${await idOf('acme')}`);
    const found = sql.startsWith('delete') ? position + 1 : position;
    expect(await verified()).toMatchObject({
      ...{ entries: position - 1, problem: expect.stringMatching(`^entry \\d+ \\(position ${found}, .*: ${problem}`) },
    });
  });

  it('stays provable when the oldest entries are deleted, but not when the newest are', async () => {
    const sql = `select position::int, encode(seal, 'hex') seal from audit_entries where organization_id = $1 order by position desc`;
    const { rows } = await app.pool.query<Head>(sql, [await idOf('acme')]);
    const [head] = rows as [Head];
    const remove = async (which: string) =>
      tamper(`delete from audit_entries where organization_id = ${await idOf('acme')} and position ${which}`);
    await remove('< 12');
    expect((await verified()).problem).toMatch('the entries from position 1 to 11 are gone. If you deleted them');
    const atTheCut = rows.find(({ position }) => position === 11)!;
    for (const earlier of [head, atTheCut])
      expect(await verified(earlier)).toMatchObject({ problem: null, begins_at: 12, head });
    expect((await verified({ ...atTheCut, seal: head.seal })).problem).toMatch('does not match its seal');
    expect((await verified({ ...head, position: 10 })).problem).toMatch('also some after the head');
    await remove(`= ${head.position}`);
    expect((await verified(head)).problem).toMatch(`the entries after position ${head.position - 1} are gone`);
  });
});
