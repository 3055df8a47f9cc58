import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { giveCategory } from '../support/world/category.js';
import { Tenant, inbox, mail, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
let mails: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);
useSink(
  () => SmtpSink.start(),
  (started) => (mails = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const TELL = {
  name: 'Tell',
  distribution_list: 'Staff',
  templates: [
    {
      channel: 'mail',
      subject: 'Article {{ n }}',
      markdown: 'Read **{{ n }}** at https://acme.test/{{ n }}',
      layout: 'default',
    },
    { channel: 'hook', text: 'Article {{ n }}\nand more' },
  ],
};
const PRAISE = {
  name: 'Praise',
  distribution_list: 'Staff',
  when: 'praise',
  templates: [{ channel: 'mail', subject: 'Praise of {{ n }}', text: 'All like {{ n }}' }],
};

interface Options {
  category?: 'on' | 'required';
  frequency?: string;
}

/** Ann wants the category daily, Bob at once. */
async function tenantOf(given: Given, { category = 'on', frequency = 'daily' }: Options = {}): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [mail('mail', mails.port), webhook('hook', hooks.url()), inbox('box')],
    users: [{ email: ANN, time_zone: 'Europe/Rome' }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    ...given,
  });
  await giveCategory(app.pool, tenant.org);
  await patch(tenant, 'p/shop/categories/news/', { frequencies: ['daily', 'weekly'], digest_at: '08:30' });
  await choose(tenant, { frequency });
  if (category === 'required') await patch(tenant, 'p/shop/categories/news/', { default: category });
  return tenant;
}

async function patch({ org, key }: Tenant, path: string, body: object) {
  const { status, body: answer } = await app.as(key).patch(`/api/o/${org}/${path}`).send(body);
  expect([status, answer]).toEqual([200, answer]);
  return answer as { categories: { frequency: string; frequencies: string[] }[] };
}

const choose = (tenant: Tenant, news: object) => patch(tenant, `u/${ANN}/preferences/`, { categories: { news } });

interface Row {
  user: string;
  channel: string;
  status: string;
  gate: string | null;
  waits: string | null;
}

async function deliveries(occurrence: string): Promise<Row[]> {
  const { rows } = await app.pool.query<Row>(
    `select u.email "user", c.slug channel, d.status, d.gate, d.waits_for waits
     from deliveries d join users u on u.id = d.user_id join channels c on c.id = d.channel_id where d.occurrence_id = $1 order by u.email, c.slug, d.id`,
    [occurrence],
  );
  return rows;
}

/** Triggers, and waits until all is sent that is not gathered. */
async function trigger(tenant: Tenant, context: object, options: object = {}): Promise<string> {
  const occurrence = await tenant.trigger(context, options);
  await until(10_000, async () => {
    const rows = await deliveries(occurrence);
    return rows.length > 0 && rows.every(({ status, waits }) => status !== 'pending' || waits === 'digest');
  });
  return occurrence;
}

const openDigests = async ({ org }: Tenant) => {
  const { rows } = await app.pool.query<{ items: number; due: string }>(
    `select g.items, to_char(g.due_at at time zone 'Europe/Rome', 'Dy HH24:MI') due
     from digests g join organizations o on o.id = g.organization_id where o.slug = $1 order by g.items, g.id`,
    [org],
  );
  return rows;
};

/** Lets the time come at which the open digests are sent, and waits until they are. */
async function close(tenant: Tenant): Promise<void> {
  await app.pool.query(
    `update digests g set due_at = now() from organizations o where o.id = g.organization_id and o.slug = $1`,
    [tenant.org],
  );
  await until(10_000, async () => (await openDigests(tenant)).length === 0 && (await carriers(tenant)).every(isOver));
}

const isOver = ({ status }: { status: string }) => status !== 'pending';

/** What was sent of digests, in the order of their channels. */
async function carriers({ org }: Tenant) {
  const { rows } = await app.pool.query<{
    channel: string;
    status: string;
    gate: string;
    subject: string;
    text: string;
    html: string;
  }>(
    `select c.slug channel, d.status, d.gate, m.subject, m.text, m.html
     from occurrences o join organizations g on g.id = o.organization_id join deliveries d on d.occurrence_id = o.id join channels c on c.id = d.channel_id
     left join messages m on m.delivery_id = d.id where g.slug = $1 and o.digest is not null order by c.slug, d.id`,
    [org],
  );
  return rows;
}

describe('a user who wants a category daily', () => {
  it('gets its messages of all notifications in one message a channel, at the time of the category', async () => {
    const tenant = await tenantOf({ notifications: [TELL, PRAISE] });
    await patch(tenant, `u/${ANN}/settings/`, { locale: 'de' });
    await trigger(tenant, { n: 'A' });
    const last = await trigger(tenant, { n: 'B', praise: true });
    expect(await deliveries(last)).toEqual([
      { user: ANN, channel: 'hook', status: 'pending', gate: null, waits: 'digest' },
      { user: ANN, channel: 'mail', status: 'pending', gate: null, waits: 'digest' },
      { user: ANN, channel: 'mail', status: 'pending', gate: null, waits: 'digest' },
      ...['hook', 'mail', 'mail'].map((channel) => ({ user: BOB, channel, status: 'sent', gate: null, waits: null })),
    ]);
    expect(await openDigests(tenant)).toEqual([
      { items: 2, due: expect.stringMatching(/08:30$/) },
      { items: 3, due: expect.stringMatching(/08:30$/) },
    ]);
    const before = { mails: mails.mails.length, hooks: hooks.requests.length };
    await close(tenant);
    const [hook, mailed, ...more] = await carriers(tenant);
    expect([hook!.status, mailed!.status, more]).toEqual(['sent', 'sent', []]);
    expect(mails.mails.length - before.mails).toBe(1);
    expect(hooks.requests.length - before.hooks).toBe(1);
    expect(hook!.text).toBe('Article A\nand more\n\nArticle B\nand more');
    expect(mailed!.subject).toBe('News & offers: Tägliche Zusammenfassung (3)');
    expect(mailed!.text).toContain('Article A\nRead A at https://acme.test/A');
    expect(mailed!.text).toContain('Praise of B\nAll like B');
    expect((await deliveries(last)).filter(({ user }) => user === ANN).map(({ gate }) => gate)).toEqual(
      Array(3).fill('digested'),
    );
  });

  it('gets a single message as it is, and none that was canceled meanwhile', async () => {
    const tenant = await tenantOf({ notifications: [TELL] });
    const canceled = await trigger(tenant, { n: 'A' });
    await trigger(tenant, { n: 'B' });
    const { status } = await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).send({});
    expect(status).toBeLessThan(300);
    await close(tenant);
    const [hook, mailed] = await carriers(tenant);
    expect([hook!.text, mailed!.subject]).toEqual(['Article B\nand more', 'Article B']);
    expect(mailed!.html).toContain('The tenant-');
    expect(mailed!.html.match(/<!doctype html>/gi)).toHaveLength(1);
  });

  it('gets at once what cannot wait, and what a notification gathers or follows up itself', async () => {
    const templates = [{ channel: 'hook', text: '{{ n }}' }];
    const tenant = await tenantOf({
      notifications: [
        { name: 'In the app', distribution_list: 'Staff', templates: [{ channel: 'box', subject: 'S', text: 'T' }] },
        { name: 'Own', distribution_list: 'Staff', templates, digest: { window: '1h' } },
        {
          ...{ name: 'Steps', distribution_list: 'Staff', when: 'steps' },
          templates: [...templates, { channel: 'mail', subject: 'S', text: 'T' }],
          steps: [{ channels: ['hook'] }, { channels: ['mail'], after: '1d', unless: 'read' }],
        },
      ],
    });
    const before = await trigger(tenant, { n: 1 });
    expect(
      (await deliveries(before)).filter(({ user }) => user === ANN).map(({ channel, waits }) => [channel, waits]),
    ).toEqual([
      ['box', null],
      ['hook', 'digest'],
    ]);
    expect(await openDigests(tenant)).toHaveLength(2);
    const critical = await trigger(tenant, { n: 2 }, { priority: 'critical' });
    expect((await deliveries(critical)).map(({ status }) => status)).toEqual(Array(4).fill('sent'));
    const steps = await trigger(tenant, { n: 3, steps: true });
    const ofHook = (await deliveries(steps)).filter(({ user, channel }) => user === ANN && channel === 'hook');
    expect(new Set(ofHook.map(({ waits, status }) => waits ?? status))).toEqual(new Set(['digest', 'sent']));
    await patch(tenant, 'p/shop/categories/news/', { default: 'required' });
    const required = await trigger(tenant, { n: 4 });
    expect((await deliveries(required)).map(({ channel, waits }) => waits ?? channel)).toEqual([
      'box',
      'digest',
      'box',
      'digest',
    ]);
    await app.pool.query('delete from digests');
  });

  it('is told when it comes, by explain and by a simulation', async () => {
    const tenant = await tenantOf({ notifications: [TELL] }, { frequency: 'weekly' });
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid`;
    const simulated = await app
      .as(tenant.key)
      .post(`${path}/simulate/`)
      .send({ context: { n: 'A' } });
    const shown = (
      simulated.body as { messages: { user: string; waits_for: string; frequency: string; until: string }[] }
    ).messages;
    const monday = expect.stringMatching(/T0[67]:30:00/);
    expect(shown.filter(({ user }) => user === ANN)).toMatchObject(
      Array(2).fill({ waits_for: 'digest', frequency: 'weekly', until: monday }),
    );
    expect(shown.filter(({ user }) => user === BOB)).toMatchObject(
      Array(2).fill({ waits_for: null, frequency: null, until: null }),
    );
    const occurrence = await trigger(tenant, { n: 'A' });
    expect((await openDigests(tenant)).map(({ due }) => due)).toEqual(['Mon 08:30', 'Mon 08:30']);
    const explained = await app
      .as(tenant.key)
      .get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${ANN}`);
    expect(JSON.stringify(explained.body)).toMatch(
      /ann@acme.test is waiting for ..?Tell..? over mail: it goes into the weekly digest of the category that is sent at \d{4}-\d\d-\d\d 08:30 in Europe\/Rome\./,
    );
    await close(tenant);
    const after = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${ANN}`);
    expect(JSON.stringify(after.body)).toMatch(/in a digest of 1/);
  });

  it('gets what was collected when the choice changes, and nothing of it after an opt-out', async () => {
    const tenant = await tenantOf({ notifications: [TELL] });
    await trigger(tenant, { n: 'A' });
    await trigger(tenant, { n: 'B' });
    await choose(tenant, { frequency: 'at_once' });
    await until(10_000, async () => (await carriers(tenant)).length === 2 && (await carriers(tenant)).every(isOver));
    expect((await carriers(tenant))[1]!.subject).toBe('News & offers: Daily summary (2)');
    expect((await deliveries(await trigger(tenant, { n: 'C' }))).map(({ status }) => status)).toEqual(
      Array(4).fill('sent'),
    );
    await choose(tenant, { frequency: 'daily', email: 'off' });
    await trigger(tenant, { n: 'D' });
    await choose(tenant, { webhook: 'off' });
    await close(tenant);
    expect((await carriers(tenant)).map(({ channel, gate }) => [channel, gate])).toEqual([
      ['hook', null],
      ['hook', 'opted_out'],
      ['mail', null],
    ]);
  });

  it('gets them later among many users too, and after a time on their own clock', async () => {
    const many = Array.from({ length: 104 }, (_, n) => `u${n}@acme.test`);
    const templates = [{ channel: 'hook', text: '{{ n }}' }];
    const tenant = await tenantOf({
      lists: [{ name: 'Staff', members: [ANN, BOB, ...many] }],
      notifications: [{ name: 'Tell', distribution_list: 'Staff', templates }],
    });
    const waiting = async (occurrence: string) =>
      (await deliveries(occurrence)).filter(({ waits }) => waits !== null).map(({ user, waits }) => [user, waits]);
    const all = await trigger(tenant, { n: 1 });
    expect(await waiting(all)).toEqual([[ANN, 'digest']]);
    expect((await deliveries(all)).filter(({ status }) => status === 'sent')).toHaveLength(105);
    const local = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);
    const options = { send_at: { local: local(4) }, limit_to: [ANN, BOB] };
    const later = await tenant.trigger({ n: 2 }, options);
    const both = (waits: string) => [ANN, BOB].map((user) => [user, waits]);
    await until(10_000, async () => (await waiting(later)).length === 2);
    expect(await waiting(later)).toEqual(both('send_at'));
    // As if these hours were over.
    const travel = `update occurrences set options = options || $2 where id = $1`;
    await app.pool.query(travel, [later, { send_at: { local: local(-1) } }]);
    await app.pool.query(
      `update deliveries set next_attempt_at = now() - interval '1 second' where occurrence_id = $1`,
      [later],
    );
    await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
    await until(10_000, async () =>
      (await deliveries(later)).every(({ status, waits }) => status === 'sent' || waits === 'digest'),
    );
    expect(await waiting(later)).toEqual([[ANN, 'digest']]);
    expect(await openDigests(tenant)).toMatchObject([{ items: 2 }]);
    await close(tenant);
    expect(await carriers(tenant)).toMatchObject([{ channel: 'hook', status: 'sent', text: '1\n\n2' }]);
  });

  it('gets the whole digest over the fallback of a channel that refuses it', async () => {
    const tenant = await tenantOf({
      channels: [mail('mail', mails.port), { ...webhook('hook', hooks.url()), fallback: 'mail' }],
      notifications: [
        {
          name: 'Tell',
          distribution_list: 'Staff',
          templates: [{ channel: 'hook', subject: 'S{{ n }}', text: 'T{{ n }}' }],
        },
      ],
    });
    for (const n of [1, 2]) await trigger(tenant, { n });
    hooks.reply = () => ({ status: 400, body: 'no' });
    await close(tenant).finally(() => (hooks.reply = () => ({ status: 200, body: 'ok' })));
    const sent = await until(10_000, async () => (await carriers(tenant)).find(({ status }) => status === 'sent'));
    expect(sent).toMatchObject({
      channel: 'mail',
      subject: 'News & offers: Daily summary (2)',
      text: 'S1\nT1\n\nS2\nT2',
    });
  });
});
