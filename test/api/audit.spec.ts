import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';
import { signingSecret } from '../support/world/signing-secret.js';

interface Entry {
  id: number;
  key: number | null;
  actor: string;
  request_id: string | null;
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

/** The entries that something leaves, without who and when. */
async function left(work: () => Promise<unknown>) {
  const before = Math.max(0, ...(await entries()).map(({ id }) => id));
  await work();
  return (await entries(before)).map(({ verb, noun, name, count, changes }) => ({ verb, noun, name, count, changes }));
}

describe('the audit log', () => {
  it('says who made each change, with the key, its name and the request', async () => {
    const before = (await entries()).length;
    const asKey = app.as(key.text).set('X-Request-Id', 'req-17');
    await asKey.patch('/api/o/acme/u/ann@acme.test/').send({ last_name: 'Li' }).expect(200);
    const [entry, ...more] = (await entries()).slice(before);
    expect(more).toEqual([]);
    expect(entry).toEqual({
      ...{ id: expect.any(Number), at: expect.stringMatching(/^20\d\d-.*Z$/) },
      ...{ key: key.id, actor: 'ci', request_id: 'req-17' },
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
    const byHand = await left(() => app.pool.query(`update projects set name = 'Store' where slug = 'shop'`));
    expect(byHand).toEqual([
      { verb: 'update', noun: 'project', name: 'shop', count: 1, changes: { name: ['Shop', 'Store'] } },
    ]);
    expect((await entries()).at(-1)).toMatchObject({ key: null, actor: 'database user carillon', request_id: null });
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

  it('is not for a key of one project', async () => {
    const bound = await app.key({ org: 'acme', project: 'shop' });
    const { body } = await app.as(bound).get('/api/o/acme/audit/').expect(403);
    expect(body).toMatchObject({ detail: expect.stringContaining('Use a key for the whole organization') });
  });
});
