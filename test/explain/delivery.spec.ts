import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { invalid, notFound } from '../support/contract/problems.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Reader } from '../support/world/reader.js';
import type { Item } from '../support/world/reader.js';
import { travelToNextAttempt } from '../support/world/tenant.js';
import type { Tenant } from '../support/world/tenant.js';
import { ANN, BOB, CLEO, DAN, EVE, NO_COUNTS, createStory } from './occurrence-story.js';

let app: TestApp;
let hooks: HttpSink;
let reader: Reader;
beforeAll(async () => {
  [app, hooks] = await Promise.all([TestApp.start({ ROLE: 'all' }), HttpSink.start()]);
  reader = new Reader(app);
});
afterAll(async () => {
  await app.stop();
  await hooks.close();
});

const BAD_CURSOR = invalid({ after: ['must be taken from the Link header of the page before'] });
const NOT_ONCE = 'must be given once, as text';

describe("the list of an occurrence's deliveries", () => {
  let tenant: Tenant;
  let path: string;

  beforeAll(async () => {
    tenant = await createStory(app, hooks);
    const [id, other] = [await tenant.trigger({ total: 120 }), await tenant.trigger({ total: 120 })];
    await Promise.all([tenant.tried(id, 1), tenant.tried(other, 1)]);
    path = `occurrences/${id}/deliveries/`;
  });

  const brief = (rows: Item[]) =>
    rows.map(({ notification, channel, user, status }) => [notification, channel, user, status].join(' ')).sort();

  it('has all of them and none of another occurrence, in a stable order, whole or page by page', async () => {
    const all = await reader.pagedList(tenant, path);
    expect(brief(all)).toEqual(
      [
        `Tell hook ${ANN} sent`,
        `Tell hook ${BOB} skipped`,
        `Tell hook ${CLEO} skipped`,
        `Tell hook ${DAN} dead`,
        `Tell hook ${EVE} pending`,
        `Tell box ${ANN} sent`,
        `Tell box ${BOB} skipped`,
        `Tell box ${CLEO} skipped`,
        `Tell box ${DAN} sent`,
        `Tell box ${EVE} sent`,
        ...[ANN, DAN, EVE].map((user) => `Broken box ${user} dead`),
        ...[BOB, CLEO].map((user) => `Broken box ${user} skipped`),
      ].sort(),
    );
    await app.pool.query(
      `update deliveries set user_id = user_id where id in (select min(id) from deliveries group by occurrence_id)`,
    );
    expect(await reader.list(tenant, path)).toEqual(all);
  });

  it('shows of each what decided, what the provider said, and when it is tried next', async () => {
    const rows = await reader.list(tenant, `${path}?channel=hook`);
    const shown = (user: string) => rows.find((row) => row.user === user);
    const attempt = {
      number: 1,
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      duration_ms: expect.any(Number),
    };
    const bare = {
      id: expect.any(Number),
      notification: 'Tell',
      channel: 'hook',
      per: 'person',
      gate: null,
      reason: null,
      next_attempt_at: null,
      fallback_of: null,
      repeat: 0,
      report: null,
      waits_for: null,
      carried_by: null,
      attempts: [],
    };
    expect(shown(ANN)).toEqual({
      ...bare,
      user: ANN,
      status: 'sent',
      attempts: [{ ...attempt, outcome: 'sent', answer: '200 welcome' }],
    });
    expect(shown(BOB)).toEqual({ ...bare, user: BOB, status: 'skipped', gate: 'locked' });
    expect(shown(CLEO)).toEqual({ ...bare, user: CLEO, status: 'skipped', gate: 'inactive' });
    expect(shown(DAN)).toEqual({
      ...bare,
      user: DAN,
      status: 'dead',
      reason: 'rejected by the provider: 400 no such person',
      attempts: [{ ...attempt, outcome: 'rejected', answer: '400 no such person' }],
    });
    expect(shown(EVE)).toEqual({
      ...bare,
      user: EVE,
      status: 'pending',
      next_attempt_at: expect.stringMatching(/Z$/),
      attempts: [{ ...attempt, outcome: 'retry', answer: '503 busy' }],
    });
  });

  it.each([
    ['status=pending', [`Tell hook ${EVE} pending`]],
    ['status=dead', [`Tell hook ${DAN} dead`, ...[ANN, DAN, EVE].map((user) => `Broken box ${user} dead`)]],
    ['status=sent&channel=box', [ANN, DAN, EVE].map((user) => `Tell box ${user} sent`)],
    ['status=skipped&user=bob@acme.test&channel=hook', [`Tell hook ${BOB} skipped`]],
    ['user=DAN@Acme.test', [`Tell hook ${DAN} dead`, `Tell box ${DAN} sent`, `Broken box ${DAN} dead`]],
    ['channel=quiet', []],
    ['channel=nowhere', []],
    ['channel=', []],
    ['user=nobody@acme.test', []],
    ['user=', []],
  ])('may be only those with %s', async (query, expected) => {
    expect(brief(await reader.pagedList(tenant, `${path}?${query}`))).toEqual([...expected].sort());
  });

  it('may be only those over the channels of a slug, of the organization and of a project', async () => {
    const [row] = await reader.list(tenant, `${path}?channel=hook&user=${ANN}`);
    await app.pool.query(
      `with made as (
         insert into channels (organization_id, project_id, slug, name, type)
         select p.organization_id, p.id, 'hook', 'Hook', 'log' from projects p join organizations o on o.id = p.organization_id
         where o.slug = $1 returning id
       )
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, fallback_of)
       select occurrence_id, organization_id, notification_id, made.id, user_id, 'sent', d.id from deliveries d, made where d.id = $2`,
      [tenant.org, row!.id],
    );
    const both = await reader.list(tenant, `${path}?channel=hook&user=${ANN}`);
    expect(both).toEqual([row, { ...row, id: both[1]!.id, attempts: [], fallback_of: row!.id }]);
    const { rules } = (await reader.one(tenant, path.replace('deliveries/', ''))) as Item & { rules: Item[] };
    expect(rules.find(({ notification }) => notification === 'Tell')!.channels).toContainEqual({
      channel: 'hook',
      verdict: 'fallback',
      counts: { ...NO_COUNTS, total: 1, sent: 1 },
    });
    await app.pool.query('delete from deliveries where id = $1', [both[1]!.id]);
  });

  it('has every attempt of a delivery, in order', async () => {
    await travelToNextAttempt(app);
    await tenant.tried(path.split('/')[1]!, 2);
    const [eve] = await reader.list(tenant, `${path}?status=pending`);
    expect(eve!.attempts).toMatchObject([
      { number: 1, outcome: 'retry', answer: '503 busy' },
      { number: 2, outcome: 'retry', answer: '503 busy' },
    ]);
  });

  it.each([
    ['status=failed', { status: ['must be one of pending, sent, skipped, dead'] }],
    ['status=sent&status=dead', { status: [NOT_ONCE] }],
    ['channel=a&channel=b', { channel: [NOT_ONCE] }],
    ['channel=%00', { channel: [NOT_ONCE] }],
    ['user=%00', { user: [NOT_ONCE] }],
  ])('refuses ?%s', async (query, errors) => {
    const { status, body } = await reader.ask(tenant, `${path}?${query}`);
    expect([status, body]).toEqual([400, invalid(errors)]);
  });

  it.each(['', '1', '1.2', '1.2.3.4', '1.2.x', '-1.2.3', '1.2.2147483648', '1..3', '1.2.3 ', '99999999999.1.1'])(
    'refuses ?after=%s',
    async (after) => {
      const { status, body } = await reader.ask(tenant, `${path}?limit=1&after=${encodeURIComponent(after)}`);
      expect([status, body]).toEqual([400, BAD_CURSOR]);
    },
  );
});

describe("the list of a person's deliveries", () => {
  let tenant: Tenant;
  let ids: string[];

  beforeAll(async () => {
    tenant = await createStory(app, hooks);
    ids = [await tenant.trigger({ total: 120 }), await tenant.trigger({ total: 120 })];
    for (const id of ids) await tenant.tried(id, 1);
  });

  const pathOf = (user: string) => `u/${user}/deliveries/`;

  it('has those of every occurrence, newest first, whole or page by page', async () => {
    const all = await reader.pagedList(tenant, pathOf(ANN));
    const numbers = all.map(({ id }) => Number(id));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    const each = await Promise.all(
      ids.map(async (id) => {
        const { created_at: triggered_at } = await reader.one(tenant, `occurrences/${id}/`);
        const place = { occurrence: id, triggered_at, event: 'order-paid', application: 'web', project: 'shop' };
        const rows = await reader.list(tenant, `occurrences/${id}/deliveries/?user=${ANN}`);
        return rows.map((row) => ({ ...row, ...place, sentence: expect.any(String) }));
      }),
    );
    expect(all).toHaveLength(6);
    expect(all).toEqual(each.flat().sort((a, b) => Number(b.id) - Number(a.id)));
  });

  it('says what was not sent, and why, in the words of explain', async () => {
    for (const user of [ANN, BOB, CLEO, DAN, EVE]) {
      const said = (await reader.list(tenant, pathOf(user))).filter(({ occurrence }) => occurrence === ids[0]);
      const { rules } = await reader.one(tenant, `occurrences/${ids[0]}/explain/?user=${user}`);
      const channels = (rules as { channels: Item[] }[]).flatMap(({ channels }) => channels);
      const explained = new Map(channels.map(({ delivery, sentence }) => [delivery, sentence as string]));
      // `explain` also knows the lists.
      const inWords = (text: unknown) => String(text).replace('"Staff"', 'the lists of the notification');
      expect(said.map(({ sentence }) => sentence)).toEqual(said.map(({ id }) => inWords(explained.get(id))));
    }
    expect(await reader.list(tenant, `${pathOf(BOB)}?status=skipped&limit=1`)).toMatchObject([
      { gate: 'locked', sentence: expect.stringContaining('because the user was locked') },
    ]);
  });

  it('looks through a part of all deliveries for a page, which may be empty although others follow', async () => {
    const [newest] = await reader.list(tenant, `${pathOf(ANN)}?limit=1`);
    const { rows } = await app.pool.query<{ id: string }>(
      `insert into deliveries (id, occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select id + 20000000, occurrence_id, organization_id, notification_id, channel_id, 0, 'sent' from deliveries where id = $1 returning id`,
      [newest!.id],
    );
    try {
      const { body, headers } = await app.as(tenant.key).get(`/api/o/${tenant.org}/${pathOf(ANN)}?limit=50`);
      expect([body, headers.link]).toEqual([[], expect.stringContaining('rel="next"')]);
      expect(await reader.list(tenant, pathOf(ANN))).toHaveLength(6);
    } finally {
      await app.pool.query('delete from deliveries where id = $1', [rows[0]!.id]);
    }
  });

  it('shows a key of a branch those of its branch, and needs user:read too', async () => {
    await app.pool.query(
      `insert into projects (organization_id, slug, name) select id, 'other', 'Other' from organizations where slug = $1`,
      [tenant.org],
    );
    const ask = async (options: object) => {
      const { status, body } = await reader.ask(
        tenant,
        pathOf(ANN),
        await app.key({ org: tenant.org, permissions: ['occurrence:read', 'user:read'], ...options }),
      );
      return [status, (body as unknown[]).length];
    };
    expect(await ask({ project: 'shop', application: 'web' })).toEqual([200, 6]);
    expect(await ask({ project: 'other' })).toEqual([200, 0]);
    expect(await ask({ permissions: ['occurrence:read'] })).toEqual([403, undefined]);
    expect(await ask({ permissions: ['user:read'] })).toEqual([403, undefined]);
    const blind = await app.key({ org: tenant.org, permissions: ['occurrence:read'] });
    expect((await reader.ask(tenant, pathOf('nobody@acme.test'), blind)).status).toBe(403);
  });

  it.each(['', '0', 'x', '1.1.1', '9999999999999999'])('refuses ?after=%s', async (after) => {
    const { status, body } = await reader.ask(tenant, `${pathOf(ANN)}?limit=1&after=${after}`);
    expect([status, body]).toEqual([400, BAD_CURSOR]);
  });
});

describe('a delivery', () => {
  let tenant: Tenant;
  let path: string;
  let rows: Item[];

  beforeAll(async () => {
    tenant = await createStory(app, hooks);
    const id = await tenant.trigger({ total: 120 });
    await tenant.tried(id, 1);
    path = `occurrences/${id}/deliveries/`;
    rows = await reader.list(tenant, path);
  });

  it('shows the same as the list, and no message when none has left', async () => {
    for (const row of rows.filter(({ attempts }) => (attempts as object[]).length === 0)) {
      expect(await reader.one(tenant, `${path}${row.id}/`)).toEqual({
        ...row,
        message: null,
        reports: [],
        devices: null,
      });
    }
  });

  it('shows what it said', async () => {
    const row = rows.find(({ channel, user }) => channel === 'hook' && user === ANN)!;
    const message = { recipient: '', subject: 'Order "A"', text: 'Hi\nAnn', html: '<p>Hi</p>' };
    const sender = { from: 'Shop <shop@acme.test>', headers: { 'X-A': '1' } };
    await app.pool.query(
      `insert into messages (delivery_id, recipient, subject, text, html, sender) values ($1, $2, $3, $4, $5, $6)
       on conflict (delivery_id) do update set recipient = $2, subject = $3, text = $4, html = $5, sender = $6`,
      [row.id, ...Object.values(message), sender],
    );
    expect(await reader.one(tenant, `${path}${row.id}/`)).toEqual({
      ...{ ...row, devices: null },
      message: {
        ...{ ...message, ...sender, reply_to: null, language: null },
        ...{ url: null, image: null, actions: null, data: null, template: null, left_out: [] },
      },
      reports: [],
    });
  });

  it.each(['0', '-1', 'x', '1.5', '01', '999999999999999', '9999999999999999', '9223372036854775808', '%00', '1e3'])(
    'called %s does not exist',
    async (name) => {
      const { status, body } = await reader.ask(tenant, `${path}${name}/`);
      expect([status, body]).toEqual([404, notFound('delivery')]);
    },
  );

  it('of another occurrence does not exist in this one', async () => {
    const other = await tenant.trigger({ total: 1 }, { limit_to: [ANN] });
    await tenant.settled(other);
    const { status, body } = await reader.ask(tenant, `occurrences/${other}/deliveries/${rows[0]!.id}/`);
    expect([status, body]).toEqual([404, notFound('delivery')]);
  });
});
