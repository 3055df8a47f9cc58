import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import { TestApp } from '../support/app/app.js';
import { invalid } from '../support/contract/problems.js';
import { Reader } from '../support/world/reader.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
let reader: Reader;
beforeAll(async () => {
  app = await TestApp.start();
  reader = new Reader(app);
});
afterAll(() => app.stop());

const EVENT = 'p/shop/a/web/e/order-paid/o/';
const BAD_CURSOR = invalid({ after: ['must be taken from the Link header of the page before'] });
const BAD_STATUS = 'must be one of pending, expanding, expanded, canceled, failed, held';
const BAD_TIME = 'must be a time with its zone, such as 2030-01-01T08:00:00Z';
const NOT_ONCE = 'must be given once, as text';

describe("the list of an event's occurrences", () => {
  let tenant: Tenant;
  const ids: string[] = [];
  const DAYS = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z', '2026-03-05T10:00:00.000Z'];

  beforeAll(async () => {
    tenant = await Tenant.create(app, {});
    const store = async (
      at: string,
      status: string,
      options: object,
      ends: { expanded?: string; canceled?: string },
    ) => {
      const id = uuidV7(Date.parse(at));
      ids.push(id);
      await app.pool.query(
        `insert into occurrences (id, organization_id, event_id, context, options, status, created_at, expanded_at, canceled_at)
         select $1, e.organization_id, e.id, '{}', $2, $3, $4, $5, $6
         from events e join organizations o on o.id = e.organization_id where o.slug = $7 and e.slug = 'order-paid'`,
        [id, options, status, at, ends.expanded, ends.canceled, tenant.org],
      );
    };
    await store(DAYS[0]!, 'expanded', {}, { expanded: '2026-03-01T10:00:01Z' });
    await store(DAYS[0]!, 'failed', { priority: 'bulk' }, {});
    await store(DAYS[1]!, 'canceled', {}, { canceled: '2026-03-02T11:00:00Z' });
    await store(DAYS[1]!, 'expanding', { send_at: '2026-03-02T12:00+02:00' }, {});
    await store(DAYS[2]!, 'pending', { expires_at: '2026-03-05T12:00:00Z', send_at: '2026-03-05T11:00:00.5Z' }, {});
    await app.pool.query(
      `with other as (
         insert into events (organization_id, application_id, slug, name)
         select organization_id, application_id, 'order-sent', 'Order sent' from events
         where organization_id = (select id from organizations where slug = $2) returning *
       )
       insert into occurrences (id, organization_id, event_id, context, options) select $1, organization_id, id, '{}', '{}' from other`,
      [uuidV7(), tenant.org],
    );
    // Two of them are of the same millisecond: chance orders their ids.
    for (const start of [0, 2]) ids.splice(start, 2, ...ids.slice(start, start + 2).sort());
  });

  const idsOf = async (query: string) => (await reader.pagedList(tenant, `${EVENT}${query}`)).map(({ id }) => id);

  it('has all of them and none of another event, newest first, whole or page by page', async () => {
    expect(await idsOf('')).toEqual([...ids].reverse());
  });

  it('shows of each its status, its times and its options', async () => {
    const items = await reader.list(tenant, EVENT);
    const times = { send_at: null, expires_at: null, expanded_at: null, canceled_at: null, approved_at: null };
    const bare = { priority: null, send_at_local: null, ...times };
    const [one, two, three] = DAYS.map((day) => ({ ...bare, id: expect.any(String), created_at: day }));
    expect(items).toHaveLength(5);
    expect(items).toEqual(
      expect.arrayContaining([
        { ...three, status: 'pending', send_at: '2026-03-05T11:00:00.500Z', expires_at: '2026-03-05T12:00:00.000Z' },
        { ...two, status: 'expanding', send_at: '2026-03-02T10:00:00.000Z' },
        { ...two, status: 'canceled', canceled_at: '2026-03-02T11:00:00.000Z' },
        { ...one, status: 'failed', priority: 'bulk' },
        { ...one, status: 'expanded', expanded_at: '2026-03-01T10:00:01.000Z' },
      ]),
    );
  });

  it.each(['pending', 'expanding', 'expanded', 'canceled', 'failed'])('may be only those %s', async (status) => {
    expect(await reader.list(tenant, `${EVENT}?status=${status}`)).toMatchObject([{ status }]);
  });

  it('may be only those of a time: since is the first of it, until is not', async () => {
    expect(await idsOf('?since=2026-03-02T10:00:00Z')).toEqual(ids.slice(2).reverse());
    expect(await idsOf('?since=2026-03-02T10:00:00.001Z')).toEqual(ids.slice(4));
    expect(await idsOf('?until=2026-03-02T10:00:00Z')).toEqual(ids.slice(0, 2).reverse());
    expect(await idsOf('?until=2026-03-02T10:00:00.001Z')).toEqual(ids.slice(0, 4).reverse());
    expect(await idsOf('?since=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z')).toEqual(ids.slice(2, 4).reverse());
    expect(await idsOf('?since=2026-03-02T12:30:00%2B02:30&until=2026-03-05T00:00:00Z')).toEqual(
      ids.slice(2, 4).reverse(),
    );
    expect(await idsOf('?since=2026-03-06T00:00:00Z')).toEqual([]);
    expect(await idsOf('?since=2026-03-05T00:00:00Z&until=2026-03-02T00:00:00Z')).toEqual([]);
    expect(await idsOf('?since=2026-03-02T00:00:00Z&status=failed')).toEqual([]);
  });

  it('takes the clock of the database for when it was, even if an id was made by one that is off', async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      `update occurrences set created_at = '2026-03-04T20:00:00Z' where id = $1 returning id`,
      [ids[4]],
    );
    try {
      const [{ id }] = rows as [{ id: string }];
      expect(await idsOf('?since=2026-03-04T19:00:00Z&until=2026-03-04T21:00:00Z')).toEqual([id]);
      expect(await idsOf('?since=2026-03-05T00:00:00Z')).toEqual([]);
    } finally {
      await app.pool.query('update occurrences set created_at = $2 where id = $1', [ids[4], DAYS[2]]);
    }
  });

  it('may ask for the whole of time', async () => {
    const all = [...ids].reverse();
    expect(await idsOf('?since=0000-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toEqual(all);
  });

  it.each([
    ['status=gone', { status: [BAD_STATUS] }],
    ['status=', { status: [BAD_STATUS] }],
    ['status=failed&status=failed', { status: [NOT_ONCE] }],
    ['status=%00', { status: [NOT_ONCE] }],
    ['since=yesterday', { since: [BAD_TIME] }],
    ['since=2026-03-01', { since: [BAD_TIME] }],
    ['since=2026-03-01T10:00:00', { since: [BAD_TIME] }],
    ['since=2026-02-30T10:00:00Z', { since: [BAD_TIME] }],
    ['until=2026-03-01T10:00:00+02:00', { until: [BAD_TIME] }], // a plus in a query is a blank
    ['status=x&since=y&until=z', { status: [BAD_STATUS], since: [BAD_TIME], until: [BAD_TIME] }],
  ])('refuses ?%s', async (query, errors) => {
    const { status, body } = await reader.ask(tenant, `${EVENT}?${query}`);
    expect([status, body]).toEqual([400, invalid(errors)]);
  });

  it.each(['1', 'x', '', '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e2', "'"])('refuses ?after=%s', async (after) => {
    const { status, body } = await reader.ask(tenant, `${EVENT}?after=${encodeURIComponent(after)}`);
    expect([status, body]).toEqual([400, BAD_CURSOR]);
  });

  describe('of the whole organization', () => {
    const ALL = 'occurrences/';
    const slugsOf = (rows: Record<string, unknown>[]) =>
      rows.map(({ project, application, event }) => [project, application, event].join('/'));

    it('has those of every event, newest first, with the place of each', async () => {
      const rows = await reader.pagedList(tenant, ALL);
      expect(rows.slice(1).map(({ id }) => id)).toEqual([...ids].reverse());
      expect(slugsOf(rows)).toEqual(['shop/web/order-sent', ...ids.map(() => 'shop/web/order-paid')]);
      expect(rows[5]).toEqual({
        ...(await reader.list(tenant, EVENT))[4],
        ...{ event: 'order-paid', application: 'web', project: 'shop' },
      });
    });

    it.each([
      ['event=shop/web/order-paid', [4, 3, 2, 1, 0]],
      ['event=shop/web/order-paid&since=2026-03-02T10:00:00Z', [4, 3, 2]],
      ['until=2026-03-02T10:00:00Z', [1, 0]],
      ['since=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z', [3, 2]],
      ['event=shop/web/none', []],
      ['event=shop/web/%25', []],
    ])('may be only those with ?%s', async (query, expected) => {
      const rows = await reader.pagedList(tenant, `${ALL}?${query}`);
      expect(rows.map(({ id }) => id)).toEqual(expected.map((index) => ids[index]));
    });

    it('may be only those with a status, or with a text in their context', async () => {
      expect(await reader.list(tenant, `${ALL}?status=failed`)).toMatchObject([{ status: 'failed' }]);
      await app.pool.query(`update occurrences set context = '{"order": "A-17 50%"}' where id = any($1)`, [
        [ids[1], ids[3]],
      ]);
      const found = async (query: string) => (await reader.pagedList(tenant, `${ALL}?${query}`)).map(({ id }) => id);
      expect(await found('context=a-17')).toEqual([ids[3], ids[1]]);
      expect(await found('context=17%2050%25')).toEqual([ids[3], ids[1]]);
      expect(await found('context=a%2517')).toEqual([]);
      expect(await found(`context=a-17&until=${DAYS[1]}`)).toEqual([ids[1]]);
    });

    it('looks through a part of all occurrences for a page, and goes on there', async () => {
      const other = await Tenant.create(app, {});
      await app.pool.query(
        `insert into occurrences (id, organization_id, event_id, context, options)
         select case n when 1 then $2 else uuidv7() end, e.organization_id, e.id, case n when 1 then '{"n": "first"}' else '{}' end::jsonb, '{}'
         from events e join organizations o on o.id = e.organization_id, generate_series(1, 5001) n where o.slug = $1`,
        [other.org, uuidV7(Date.parse(DAYS[0]!))],
      );
      const { body, headers } = await app.as(other.key).get(`/api/o/${other.org}/${ALL}?context=first&limit=5`);
      expect([body, headers.link]).toEqual([[], expect.stringContaining('rel="next"')]);
      expect(await reader.list(other, `${ALL}?context=first`)).toHaveLength(1);
    });

    it('shows a key of a branch those of its branch', async () => {
      await app.pool.query(
        `with o as (select id from organizations where slug = $1),
         p as (insert into projects (organization_id, slug, name) select id, 'other', 'O' from o returning *),
         a as (insert into applications (organization_id, project_id, slug, name) select organization_id, id, 'web', 'W' from p)
         insert into applications (organization_id, project_id, slug, name)
         select organization_id, id, 'till', 'T' from projects where organization_id = (select id from o) and slug = 'shop'`,
        [tenant.org],
      );
      const seen = async (branch: object) => {
        const { body } = await reader.ask(tenant, ALL, await app.key({ org: tenant.org, ...branch }));
        return (body as unknown[]).length;
      };
      expect([
        await seen({ project: 'shop' }),
        await seen({ project: 'shop', application: 'web' }),
        await seen({ project: 'shop', application: 'till' }),
        await seen({ project: 'other' }),
      ]).toEqual([6, 6, 0, 0]);
    });

    it.each(['', 'x', 'shop/web', 'shop/web/order-paid/n'])('refuses ?event=%s', async (event) => {
      const { status, body } = await reader.ask(tenant, `${ALL}?event=${event}`);
      const problem = 'must be project/application/event, such as shop/web/order-paid';
      expect([status, body]).toEqual([400, invalid({ event: [problem] })]);
    });
  });

  it('is empty for an event that was never triggered', async () => {
    expect(await reader.list(await Tenant.create(app, {}), EVENT)).toEqual([]);
  });
});
