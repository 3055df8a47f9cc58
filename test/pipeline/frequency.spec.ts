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
     from digests g join organizations o on o.id = g.organization_id where o.slug = $1 order by g.id`,
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
    expect((await openDigests(tenant)).map(({ items, due }) => [items, due.slice(4)]).sort()).toEqual([
      [2, '08:30'],
      [3, '08:30'],
    ]);
    const before = { mails: mails.mails.length, hooks: hooks.requests.length };
    await close(tenant);
    const [hook, mailed, ...more] = await carriers(tenant);
    expect([hook!.status, mailed!.status, more]).toEqual(['sent', 'sent', []]);
    expect(mails.mails.length - before.mails).toBe(1);
    expect(hooks.requests.length - before.hooks).toBe(1);
    expect(hook!.text).toBe('Article A\nand more\n\nArticle B\nand more\n\n');
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
});
