import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NotificationEntry, TemplateEntry } from '../../src/operate/provisioning/file.js';
import { Simulate } from '../../src/api/simulate/simulate.js';
import { LONGEST_MS } from '../../src/api/simulate/simulate.service.js';
import { TestApp } from '../support/app/app.js';
import { withTimers } from '../support/clock.js';
import { invalid } from '../support/contract/problems.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, mail, queueIsEmpty, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

interface Simulation {
  rules: {
    notification: string;
    verdict: string;
    reason: string | null;
    channels: {
      channel: string;
      per: string;
      verdict: string;
      people: number;
      gates: Record<string, number>;
      send: number;
    }[];
  }[];
  totals: { people: number; messages: number; gates: Record<string, number> };
  messages: Message[];
  warnings: { notification: string | null; channel: string | null; kind: string; detail: string }[];
}

interface Message {
  notification: string;
  channel: string;
  user: string | null;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  from: string | null;
  reply_to: string | null;
  headers: Record<string, string> | null;
  url: string | null;
  image: string | null;
  actions: object[] | null;
  data: object | null;
  template: object | null;
  left_out: string[];
  language: object | null;
  problem: string | null;
  waits_for: string | null;
  frequency: string | null;
  until: string | null;
}

/** A delivery with what it said. */
interface Delivered extends Pick<Message, 'notification' | 'channel' | 'user'> {
  status: string;
  gate: string | null;
  reason: string | null;
  attempts: number;
  recipient: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  sender: object | null;
}

let app: TestApp;
let hooks: HttpSink;
let mails: SmtpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  [hooks, mails] = await Promise.all([HttpSink.start(), SmtpSink.start()]);
});
afterAll(async () => {
  await app.stop();
  await Promise.all([hooks.close(), mails.close()]);
});

const waitsForALock = async () => {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await app.pool.query(sql)).rowCount;
};

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const EVE = 'eve@acme.test';

const over = (channel: string, parts: Partial<TemplateEntry> = {}): TemplateEntry => ({
  channel,
  subject: 'Order {{ order }}',
  text: 'Hi {{ user.first_name }}, {{ order }} over {{ channel.slug }}',
  ...parts,
});
const OVER_ALL = [over('hook'), over('inbox'), over('mail')];

const tell = (entry: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  templates: OVER_ALL,
  ...entry,
});
const toAudience = (audience: Record<string, unknown>, entry: Partial<NotificationEntry> = {}) =>
  tell({ distribution_list: undefined, audience, ...entry });
const saying = (...templates: Partial<TemplateEntry>[]) =>
  tell({ templates: templates.map((parts) => ({ channel: 'inbox', ...parts })) });

const toRoom = () => over('hook', { per: undefined, text: '{{ order }} over {{ channel.slug }}' });
const WITH_ROOMS = [
  tell({ name: 'Both', templates: [toRoom(), over('inbox')] }),
  tell({ name: 'No list', distribution_list: undefined, templates: [toRoom()] }),
];

const USERS = [
  { email: ANN, first_name: 'Ann', custom_fields: { team: 'ops', tags: ['a', 'b'] } },
  { email: BOB, first_name: 'Bob <b>', custom_fields: { team: 'sales' } },
  { email: EVE, addresses: [{ name: 'phone', value: '+15551234567' }] },
];

/** A tenant with three channels, who tells Ann, Bob and Eve over all of them unless something else is said. */
const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), inbox('inbox'), mail('mail', mails.port)],
    users: USERS,
    lists: [{ name: 'Staff', members: [ANN, BOB, EVE] }],
    notifications: [tell()],
    ...given,
  });

const pathOf = (tenant: Tenant) => `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;

async function simulate(tenant: Tenant, body: object = {}): Promise<Simulation> {
  const answer = await app.as(tenant.key).post(pathOf(tenant)).send(body);
  expect([answer.status, answer.body]).toMatchObject([200, { rules: expect.any(Array) }]);
  return answer.body as Simulation;
}

async function delivered(occurrence: string): Promise<Delivered[]> {
  const { rows } = await app.pool.query<Delivered>(
    `select n.name notification, c.slug channel, u.email "user", d.status, d.gate, d.reason, d.attempts,
            m.recipient, m.subject, m.text, m.html, m.sender
     from deliveries d
     join notifications n on n.id = d.notification_id
     join channels c on c.id = d.channel_id
     left join users u on u.id = d.user_id
     left join messages m on m.delivery_id = d.id
     where d.occurrence_id = $1`,
    [occurrence],
  );
  return rows;
}

const inOrder = <T extends Pick<Message, 'notification' | 'channel' | 'user'>>(rows: T[]) =>
  rows.toSorted((a, b) =>
    [a.notification, a.channel, a.user].join('|').localeCompare([b.notification, b.channel, b.user].join('|')),
  );

const NO_SENDER = { from: null, reply_to: null, headers: null, language: null };
const NO_RICH = { url: null, image: null, actions: null, data: null, template: null, left_out: [] };

/** What was really said, in the words of a simulation. A message that could not be written has no words. */
const saidIn = (rows: Delivered[]) =>
  inOrder(
    rows
      .filter(({ gate }) => gate === null)
      .map(({ notification, channel, user, status, reason, recipient, subject, text, html, sender }) =>
        status === 'sent'
          ? { notification, channel, user, recipient, subject, text, html, ...NO_SENDER, ...sender, problem: null }
          : { notification, channel, user, problem: reason },
      ),
  );

const tally = (gates: (string | null)[]) => {
  const counts: Record<string, number> = {};
  for (const gate of gates) if (gate) counts[gate] = (counts[gate] ?? 0) + 1;
  return counts;
};

interface SetUp {
  given?: () => Given;
  context?: Record<string, unknown>;
  options?: Record<string, unknown>;
  /** It is over when a worker takes it. */
  isLate?: boolean;
  /** Something that a file cannot say. */
  prepare?: (tenant: Tenant) => Promise<unknown>;
  /** What is changed after the trigger, so that its messages can be sent. */
  after?: () => Given;
  /** What the simulation must say, so that no set-up passes by saying nothing. */
  says: { messages: number; people: number; gates?: Record<string, number>; kinds?: string[] };
}

const withoutMail = (email: string) => (tenant: Tenant) =>
  app.pool.query(
    `delete from addresses a using users u, organizations o
     where a.user_id = u.id and o.id = u.organization_id and o.slug = $1 and u.email = $2 and a.name = 'email'`,
    [tenant.org, email],
  );

const LOOP =
  '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}';

const SET_UPS: Record<string, SetUp> = {
  'a list over three channels': { context: { order: 'A-17' }, says: { messages: 9, people: 3 } },
  'two lists that share a person': {
    given: () => ({
      lists: [
        { name: 'Staff', members: [ANN, { email: BOB, active: false }] },
        { name: 'Board', members: [BOB, EVE] },
      ],
      notifications: [tell({ distribution_list: undefined, distribution_lists: ['Staff', 'Board'] })],
    }),
    says: { messages: 9, people: 3, kinds: ['missing_variables', 'missing_variables', 'missing_variables'] },
  },
  'an audience': {
    given: () => ({ notifications: [toAudience({ field: 'custom_fields.team', in: ['ops', 'sales'] })] }),
    context: { order: 1 },
    says: { messages: 6, people: 2 },
  },
  'a list and an audience': {
    given: () => ({
      lists: [{ name: 'Staff', members: [{ email: ANN, active: false }, BOB] }],
      notifications: [tell({ audience: { not: { field: 'email', is: BOB } } })],
    }),
    context: { order: 1 },
    says: { messages: 9, people: 3 },
  },
  'a member who is not active': {
    given: () => ({ lists: [{ name: 'Staff', members: [ANN, { email: BOB, active: false }] }] }),
    context: { order: 1 },
    says: { messages: 3, people: 2, gates: { inactive: 3 } },
  },
  'a user who is locked': {
    given: () => ({ users: [...USERS.slice(0, 2), { email: EVE, locked: true }] }),
    context: { order: 1 },
    says: { messages: 6, people: 3, gates: { locked: 3 } },
  },
  'everybody kept back for another reason': {
    given: () => ({
      users: [{ email: ANN, locked: true }, { email: BOB }],
      lists: [{ name: 'Staff', members: [ANN, { email: BOB, active: false }] }],
    }),
    says: { messages: 0, people: 2, gates: { locked: 3, inactive: 3 } },
  },
  'a member who chose another channel': {
    given: () => ({ lists: [{ name: 'Staff', members: [ANN, { email: BOB, channel: 'hook' }] }] }),
    context: { order: 1 },
    says: { messages: 4, people: 2 },
  },
  'a person without an address': {
    prepare: withoutMail(EVE),
    given: () => ({ notifications: [toAudience({ any: [{ address: 'phone' }, { field: 'email', is: ANN }] })] }),
    context: { order: 1 },
    says: { messages: 5, people: 2, gates: { no_address: 1 } },
  },
  'a condition that holds': {
    given: () => ({ notifications: [tell({ when: "total > `100` && contains(tags, 'x')" })] }),
    context: { order: 1, total: 101, tags: ['x'] },
    says: { messages: 9, people: 3 },
  },
  'a condition that does not hold': {
    given: () => ({ notifications: [tell({ when: 'total > `100`' })] }),
    context: { total: 100 },
    says: { messages: 0, people: 0, kinds: ['nothing_matches'] },
  },
  'a condition that fails': {
    given: () => ({
      notifications: [tell({ when: 'length(total) > `0`' })],
      lists: [{ name: 'Staff', members: [ANN, { email: BOB, active: false }] }],
    }),
    context: { total: 7 },
    says: { messages: 0, people: 2, gates: { inactive: 3 }, kinds: ['nothing_matches', 'rule_failed'] },
  },
  'a notification that is switched off': {
    given: () => ({ notifications: [tell({ enabled: false })] }),
    says: { messages: 0, people: 0, kinds: ['nothing_matches'] },
  },
  'a channel that is switched off': {
    given: () => ({
      channels: [{ ...webhook('hook', hooks.url()), enabled: false }, inbox('inbox'), mail('mail', mails.port)],
    }),
    context: { order: 1 },
    after: () => ({ channels: [{ ...webhook('hook', hooks.url()), enabled: true }] }),
    says: { messages: 9, people: 3, kinds: ['channel_disabled'] },
  },
  'a channel that the trigger chose by its slug': {
    options: { channels: ['hook'] },
    context: { order: 1 },
    says: { messages: 3, people: 3 },
  },
  'channels that the trigger chose by their types': {
    options: { channels: ['email', 'inbox', 'log'] },
    context: { order: 1 },
    says: { messages: 6, people: 3 },
  },
  'a choice that leaves no channel': {
    options: { channels: ['log'] },
    says: { messages: 0, people: 0, kinds: ['no_channel'] },
  },
  'a trigger limited to some': {
    options: { limit_to: ['BOB@acme.test', EVE] },
    context: { order: 1 },
    says: { messages: 6, people: 2 },
  },
  'a trigger limited to a stranger': {
    options: { limit_to: ['nobody@acme.test'] },
    says: { messages: 0, people: 0, kinds: ['unknown_people', 'empty_audience', 'empty_audience', 'empty_audience'] },
  },
  'HTML with a text taken from it': {
    given: () => ({
      notifications: [
        saying({ subject: 'a\n b', html: '<h1>{{ order }}</h1><p>{{ user.first_name }} {{ html | raw }}</p>' }),
      ],
    }),
    context: { order: '<1>', html: '<i>x</i>' },
    says: { messages: 3, people: 3 },
  },
  Markdown: {
    given: () => ({ notifications: [saying({ markdown: '# {{ order }}\n\n* Hi **{{ user.first_name }}**' })] }),
    context: { order: '*17*' },
    says: { messages: 3, people: 3 },
  },
  'a loop over an object, whose keys the database puts into its own order': {
    given: () => ({
      notifications: [saying({ text: '{% for pair in items %}{{ pair[0] }}={{ pair[1] }},{% endfor %}' })],
    }),
    context: { items: { zebra: 1, b: 2.5, aa: 1e-7, 10: 'x' } },
    says: { messages: 3, people: 3 },
  },
  'custom fields, of which some people have none': {
    given: () => ({
      notifications: [
        saying({ text: '{{ user.custom_fields.team | default: "?" }} {{ user.custom_fields.tags | join: "+" }}' }),
      ],
    }),
    says: { messages: 3, people: 3, kinds: ['missing_variables'] },
  },
  'names of everything around it, which the context cannot overwrite': {
    given: () => ({
      notifications: [
        saying({
          text: '{{ event.slug }} {{ application.name }} {{ project.slug }} {{ organization.slug }} {{ channel.type }} {{ user.username }}',
        }),
      ],
    }),
    context: { event: 'mine', user: { username: 'root' } },
    says: { messages: 3, people: 3 },
  },
  'a template that breaks on one person': {
    given: () => ({
      users: [
        { email: ANN, custom_fields: { code: 'YWJj' } },
        { email: BOB, custom_fields: { code: 'not base64!' } },
      ],
      lists: [{ name: 'Staff', members: [ANN, BOB] }],
      notifications: [saying({ text: '{{ user.custom_fields.code | base64_decode }}' })],
    }),
    says: { messages: 2, people: 2, kinds: ['template_failed'] },
  },
  'a template that never ends': {
    given: () => ({ lists: [{ name: 'Staff', members: [ANN] }], notifications: [saying({ text: LOOP })] }),
    says: { messages: 1, people: 1, kinds: ['template_failed'] },
  },
  'a time that is over': {
    given: () => ({ users: [...USERS.slice(0, 2), { email: EVE, locked: true }] }),
    options: { expires_at: '2040-01-01T00:00:00Z' },
    isLate: true,
    says: { messages: 0, people: 3, gates: { expired: 6, locked: 3 }, kinds: ['expired'] },
  },
  'a time that is not over': {
    options: { expires_at: '2040-01-01T00:00:00Z', priority: 'bulk' },
    context: { order: 1 },
    says: { messages: 9, people: 3 },
  },
  'several notifications of all sorts': {
    given: () => ({
      lists: [{ name: 'Staff', members: [ANN, { email: BOB, active: false }] }, { name: 'Nobody' }],
      notifications: [
        tell({ name: '1 tells', templates: [over('inbox')] }),
        tell({ name: '2 is filtered', when: 'total > `100`' }),
        tell({ name: '3 is off', enabled: false }),
        tell({ name: '4 fails', when: 'length(total) > `0`', templates: [over('hook')] }),
        toAudience({ address: 'phone' }, { name: '5 has an audience', templates: [over('mail'), over('hook')] }),
        tell({ name: '6 means nobody', distribution_list: 'Nobody', templates: [over('inbox')] }),
      ],
    }),
    context: { order: 'A-17', total: 7 },
    says: { messages: 3, people: 3, gates: { inactive: 2 }, kinds: ['rule_failed', 'empty_audience'] },
  },
  'a room, where one post is no person': {
    given: () => ({ maxRecipients: 3, notifications: WITH_ROOMS }),
    context: { order: 'A-17' },
    says: { messages: 5, people: 3 },
  },
  'a room that nobody posts to, as only some people are meant': {
    given: () => ({ notifications: WITH_ROOMS }),
    context: { order: 'A-17' },
    options: { limit_to: [BOB] },
    says: { messages: 1, people: 1, kinds: ['no_channel'] },
  },
  'a room whose post is too late': {
    given: () => ({ notifications: WITH_ROOMS.slice(1) }),
    context: { order: 'A-17' },
    options: { expires_at: '2040-01-01T00:00:00Z' },
    isLate: true,
    says: { messages: 0, people: 0, gates: { expired: 1 }, kinds: ['expired'] },
  },
  'an event without notifications': {
    given: () => ({ notifications: [] }),
    says: { messages: 0, people: 0, kinds: ['no_rules'] },
  },
};

describe('a simulation says what the trigger then does', () => {
  it('in thirty-three set-ups', () => {
    expect(Object.keys(SET_UPS)).toHaveLength(33);
  });

  it.each(Object.entries(SET_UPS))('with %s', async (_, setUp) => {
    const { given, context = {}, options = {}, isLate = false, prepare, after, says } = setUp;
    const tenant = await tenantWith(given?.());
    await prepare?.(tenant);
    const { rules, totals, messages, warnings } = await simulate(tenant, {
      ...{ context, options },
      ...(isLate && { at: '2041-01-01T00:00:00Z' }),
    });
    const occurrence = isLate ? await tenant.triggerExpired(context) : await tenant.trigger(context, options);
    if (after) await tenant.apply(after());
    await tenant.settled(occurrence);
    const rows = await delivered(occurrence);

    // The same verdicts ...
    const decisions = await tenant.decisions(occurrence);
    expect(
      rules.map(({ notification, verdict, reason, channels }) => ({
        name: notification,
        verdict,
        ...(reason !== null && { reason }),
        channels: channels.map((channel) => ({ slug: channel.channel, verdict: channel.verdict })),
      })),
    ).toEqual(
      decisions.map(({ name, verdict, reason, channels }) => ({
        name,
        verdict,
        ...(reason !== undefined && { reason }),
        channels: channels.map((channel) => ({ slug: channel.slug, verdict: channel.verdict })),
      })),
    );
    // ... people and gates ...
    for (const { notification, verdict, channels } of rules) {
      for (const { channel, people, gates, send } of channels) {
        const mine = rows.filter((row) => row.notification === notification && row.channel === channel);
        const open = verdict === 'failed' ? 0 : mine.filter(({ gate }) => gate === null).length;
        expect({ channel, people, gates, send }).toEqual({
          channel,
          people: mine.filter(({ user }) => user !== null).length,
          gates: tally(mine.map(({ gate }) => gate)),
          send: open,
        });
      }
    }
    const people = new Set(rows.flatMap(({ user }) => user ?? [])).size;
    expect(totals).toMatchObject({ people, gates: tally(rows.map(({ gate }) => gate)) });
    // ... and the same words.
    const noted = inOrder(messages).map(
      ({
        problem,
        recipient,
        subject,
        text,
        html,
        from,
        reply_to,
        headers,
        language,
        waits_for: waits,
        until,
        frequency,
        url,
        image,
        actions,
        data,
        template,
        left_out,
        ...who
      }) => {
        expect([waits, until, frequency]).toEqual([null, null, null]);
        expect({ url, image, actions, data, template, left_out }).toEqual(NO_RICH);
        const sender = { from, reply_to, headers, language };
        return problem === null ? { ...who, recipient, subject, text, html, ...sender, problem } : { ...who, problem };
      },
    );
    expect(noted).toEqual(saidIn(rows));

    expect(totals).toEqual({ people: says.people, messages: says.messages, gates: says.gates ?? {} });
    expect(warnings.map(({ kind }) => kind)).toEqual(says.kinds ?? []);
  });
});

describe('a simulation', () => {
  it('stores nothing, sends nothing and queues nothing', async () => {
    const tenant = await tenantWith({
      users: [...USERS, { email: 'locked@acme.test', locked: true }],
      lists: [{ name: 'Staff', members: [ANN, BOB, EVE, 'locked@acme.test'] }],
    });
    await queueIsEmpty(app);
    const everything = async () => {
      const { rows } = await app.pool.query<{ counts: Record<string, number> }>(
        `select jsonb_object_agg(table_name,
           (xpath('/row/n/text()', query_to_xml(format('select count(*) n from %I.%I', table_schema, table_name), false, true, '')))[1]::text::int) counts
         from information_schema.tables
         where table_schema = 'public' or table_name = '_private_jobs'`,
      );
      // A timer measures the usage of every organization.
      const { organization_usage: _, ...counts } = rows[0]!.counts;
      return counts;
    };
    const before = await everything();
    expect(Object.keys(before).length).toBeGreaterThan(20);
    const [requests, sent] = [hooks.requests.length, mails.mails.length];
    const answer = await app
      .as(tenant.key)
      .post(pathOf(tenant))
      .set('Idempotency-Key', 'once')
      .send({ context: { order: 1 }, options: { send_at: '2040-01-01T00:00:00Z' } });
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect((answer.body as Simulation).totals).toEqual({ people: 4, messages: 9, gates: { locked: 3 } });
    expect(await everything()).toEqual(before);
    expect([hooks.requests.length, mails.mails.length]).toEqual([requests, sent]);
  });

  it('shows whole messages', async () => {
    const tenant = await tenantWith({
      notifications: [tell({ templates: [over('mail', { html: '<p>{{ user.first_name }}</p>' })] })],
    });
    const { messages } = await simulate(tenant, { context: { order: 'A-17' }, options: { limit_to: [BOB] } });
    expect(messages).toEqual([
      {
        notification: 'Tell',
        channel: 'mail',
        user: BOB,
        recipient: BOB,
        subject: 'Order A-17',
        text: 'Hi Bob <b>, A-17 over mail',
        html: '<p>Bob &lt;b&gt;</p>',
        ...NO_SENDER,
        ...NO_RICH,
        problem: null,
        waits_for: null,
        until: null,
        frequency: null,
      },
    ]);
  });

  it('takes no body at all', async () => {
    const tenant = await tenantWith();
    const { status, body } = await app.as(tenant.key).post(pathOf(tenant));
    expect([status, (body as Simulation).totals.messages]).toEqual([200, 9]);
  });

  it('shows the first twenty messages, counts all of them, and looks at every template', async () => {
    const members = Array.from({ length: 30 }, (_, n) => `user${n}@acme.test`);
    const tenant = await tenantWith({
      users: [],
      lists: [{ name: 'Staff', members }],
      notifications: [
        tell({ name: '1', templates: [over('inbox')] }),
        tell({ name: '2', templates: [over('inbox', { text: '{{ nick }}' })] }),
      ],
    });
    const { messages, totals, warnings } = await simulate(tenant, { context: { order: 1 } });
    const { rows } = await app.pool.query<{ user: string }>(
      `select '1' notification, email "user" from users
       where organization_id = (select id from organizations where slug = $1) order by id limit 20`,
      [tenant.org],
    );
    expect(messages.map(({ notification, user }) => ({ notification, user }))).toEqual(rows);
    expect(totals).toEqual({ people: 30, messages: 60, gates: {} });
    expect(warnings).toEqual([
      { notification: '2', channel: 'inbox', kind: 'missing_variables', detail: 'The context has no value for nick.' },
    ]);
  });

  it('counts a large audience and shows the first who is not kept back', async () => {
    const tenant = await tenantWith({
      notifications: [toAudience({ field: 'last_name', is: 'Crowd' }, { templates: [over('inbox')] })],
    });
    await app.pool.query(
      `insert into users (organization_id, email, email_key, last_name, locked)
       select o.id, 'u' || n || '@crowd.test', 'u' || n || '@crowd.test', 'Crowd', n <= 20000
       from organizations o, generate_series(1, 20010) n where o.slug = $1`,
      [tenant.org],
    );
    const { messages, totals } = await simulate(tenant, { context: { order: 1 } });
    expect(totals).toEqual({ people: 20_010, messages: 10, gates: { locked: 20_000 } });
    expect(messages.map(({ user }) => user)).toEqual(Array.from({ length: 10 }, (_, n) => `u${20_001 + n}@crowd.test`));
  });

  it('asks no more of the database once nobody waits for it', async () => {
    const tenant = await tenantWith();
    const { rows } = await app.pool.query<{ organizationId: number; eventId: number }>(
      `select e.organization_id "organizationId", e.id "eventId"
       from events e join organizations o on o.id = e.organization_id where o.slug = $1`,
      [tenant.org],
    );
    const asked = { ...rows[0]!, context: {}, options: {}, at: new Date(), showsUsers: true };
    const other = await app.pool.connect();
    await other.query('begin; lock table members');
    const left = new AbortController();
    const running = app.app.get(Simulate).run({ ...asked, signal: left.signal });
    const refused = expect(running).rejects.toThrow('left');
    await until(10_000, waitsForALock);
    left.abort(new Error('left'));
    await other.query('rollback');
    other.release();
    await refused;
  });

  it('that takes too long is a 503 that says what to do', async () => {
    const tenant = await tenantWith();
    const other = await app.pool.connect();
    await other.query('begin; lock table members');
    const { status, body } = await withTimers(LONGEST_MS, async (runOut) => {
      const answer = app
        .as(tenant.key)
        .post(pathOf(tenant))
        .send({})
        .then((response) => response); // supertest sends when it is awaited
      await until(10_000, waitsForALock);
      runOut();
      return answer;
    });
    await other.query('rollback');
    other.release();
    expect([status, body]).toMatchObject([503, { detail: expect.stringContaining('options.limit_to') }]);
  });

  it('takes place at another time', async () => {
    const tenant = await tenantWith({ notifications: [saying({ text: '{{ occurrence.created_at }}' })] });
    const options = { expires_at: '2030-01-01T08:00:00Z', limit_to: [ANN] };
    const before = await simulate(tenant, { options, at: '2030-01-01T08:59:59.5+01:00' });
    expect(before.totals).toEqual({ people: 1, messages: 1, gates: {} });
    expect(before.messages).toMatchObject([{ text: '2030-01-01T07:59:59.500Z' }]);
    const after = await simulate(tenant, { options, at: '2030-01-01T08:00:00Z' });
    expect(after).toMatchObject({ totals: { people: 1, messages: 0, gates: { expired: 1 } }, messages: [] });
    expect(after.warnings).toEqual([
      {
        notification: null,
        channel: null,
        kind: 'expired',
        detail: 'The occurrence expires at 2030-01-01T08:00:00Z, before it could be sent.',
      },
    ]);
    const start = Date.now();
    const now = await simulate(tenant, { options: { limit_to: [ANN] } });
    expect(Date.parse(now.messages[0]!.text)).toBeGreaterThanOrEqual(start);
    expect(Date.parse(now.messages[0]!.text)).toBeLessThanOrEqual(Date.now());
  });

  it.each(['1969-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('takes place at %s', async (at) => {
    const tenant = await tenantWith({ notifications: [saying({ text: '{{ occurrence.created_at }}' })] });
    const { messages } = await simulate(tenant, { at });
    expect(messages[0]!.text).toContain(at.slice(0, 10));
  });

  it('is of the rules as they stand, not as an earlier occurrence pinned them', async () => {
    const tenant = await tenantWith({ notifications: [saying({ text: 'old' })] });
    await tenant.trigger({}, { send_at: '2040-01-01T00:00:00Z' });
    await tenant.apply({ notifications: [saying({ text: 'new' })] });
    expect((await simulate(tenant)).messages[0]!.text).toBe('new');
  });
});

describe('a simulation warns', () => {
  const warningsOf = async (given: Given, body: object = {}) =>
    (await simulate(await tenantWith(given), body)).warnings;
  const tellOver = (channel: string) => ({ notification: 'Tell', channel });

  it('of an event without notifications', async () => {
    expect(await warningsOf({ notifications: [] })).toEqual([
      { notification: null, channel: null, kind: 'no_rules', detail: 'The event has no notifications.' },
    ]);
  });

  it('when nothing matches, and says why', async () => {
    const notifications = [
      tell({ name: 'Rich', when: 'total > `1`' }),
      tell({ name: 'Off', enabled: false }),
      tell({ name: 'Wrong', when: 'length(total) > `1`' }),
    ];
    expect(await warningsOf({ notifications }, { context: { total: 1 } })).toEqual([
      {
        notification: null,
        channel: null,
        kind: 'nothing_matches',
        detail:
          'No notification applies: "Rich" has a condition that is false, "Off" is switched off, "Wrong" has a condition that fails.',
      },
      {
        notification: 'Wrong',
        channel: null,
        kind: 'rule_failed',
        detail: 'The condition of the rule failed: length() cannot take number.',
      },
    ]);
  });

  const CHANNEL_OFF =
    'The channel is switched off: messages wait until it is switched on, until they expire, or for seven days.';

  it('of a channel that is switched off, or not among those chosen', async () => {
    const given = { channels: [{ ...inbox('inbox'), enabled: false }], notifications: [saying({ text: 'x' })] };
    expect(await warningsOf(given)).toEqual([{ ...tellOver('inbox'), kind: 'channel_disabled', detail: CHANNEL_OFF }]);
    expect(await warningsOf(given, { options: { channels: ['webhook'] } })).toEqual([
      { notification: 'Tell', channel: null, kind: 'no_channel', detail: 'The options allow none of its channels.' },
    ]);
  });

  it('of a switch above it, and of a ceiling that it exceeds or may exceed', async () => {
    const about = { notification: null, channel: null };
    const given = { notifications: [saying({ text: 'x' })] };
    expect(await warningsOf({ ...given, enabled: { project: false, event: false }, maxRecipients: 3 })).toEqual([
      {
        ...about,
        kind: 'switched_off',
        detail: 'The project Shop is switched off: messages wait until it is switched on.',
      },
      { ...about, kind: 'switched_off', detail: expect.stringMatching(/^The event .* is switched off/) },
    ]);
    const held = 'The occurrence would be held until someone approves it: it reaches 3 users and the event allows 2.';
    expect(await warningsOf({ ...given, maxRecipients: 2 })).toEqual([{ ...about, kind: 'held', detail: held }]);
    const again = { ...saying({ text: 'y' }), name: 'Again' };
    const twice = { notifications: [saying({ text: 'x' }), again] };
    expect(await warningsOf({ ...twice, maxRecipients: 3 })).toEqual([]);
    const twoLists = {
      lists: [
        { name: 'Staff', members: [ANN, BOB] },
        { name: 'Board', members: [BOB, EVE] },
      ],
      notifications: [saying({ text: 'x' }), { ...again, distribution_list: 'Board' }],
    };
    expect(await warningsOf({ ...twoLists, maxRecipients: 2 })).toMatchObject([
      {
        kind: 'held',
        detail: expect.stringContaining('The occurrence may be held until someone approves it: it reaches up to 3'),
      },
    ]);
  });

  it('of a channel that was deleted, and of one whose settings cannot be read', async () => {
    const tenant = await tenantWith({
      channels: [webhook('hook', hooks.url(), { secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3' }), inbox('inbox')],
      notifications: [tell({ templates: [over('hook'), over('inbox')] })],
    });
    await app.pool.query(
      `update channels c set config = jsonb_set(config, '{secret,sealed}', '"broken"') from organizations o
       where o.id = c.organization_id and o.slug = $1 and c.slug = 'hook'`,
      [tenant.org],
    );
    await app.pool.query(
      `update rule_versions v set rule = jsonb_set(rule, '{templates,1,channel}', '2147483647') from organizations o
       where o.id = v.organization_id and o.slug = $1`,
      [tenant.org],
    );
    const { warnings, messages, rules, totals } = await simulate(tenant, { context: { order: 1 } });
    expect(warnings).toEqual([
      { notification: 'Tell', channel: null, kind: 'channel_gone', detail: 'The channel was deleted.' },
      {
        ...tellOver('hook'),
        kind: 'channel_problem',
        detail: expect.stringMatching(/^The settings of hook cannot be read: .*\.$/),
      },
    ]);
    expect(rules[0]!.channels).toMatchObject([
      { channel: 'hook', verdict: 'open', people: 3, send: 0 },
      { channel: null, verdict: 'gone', people: 0, send: 0 },
    ]);
    expect(totals.messages).toBe(0);
    expect(messages).toHaveLength(3);
    expect(messages[0]!.problem).toMatch(/^the settings of hook cannot be read/);
  });

  it('of a channel whose address is not allowed', async () => {
    const channels = [webhook('hook', 'http://10.0.0.1/')];
    expect(
      await warningsOf({ channels, notifications: [tell({ templates: [{ channel: 'hook', text: 'x' }] })] }),
    ).toEqual([
      {
        ...tellOver('hook'),
        kind: 'channel_problem',
        detail: '10.0.0.1 is not allowed: it has a private address. The operator can allow it with OUTBOUND_ALLOW.',
      },
    ]);
  });

  it('of a notification that means nobody, and of people who are no users', async () => {
    const given = { lists: [{ name: 'Staff' }], notifications: [saying({ text: 'x' })] };
    const options = { limit_to: [ANN, 'x@acme.test', 'X@acme.test', 'y@acme.test'] };
    expect(await warningsOf(given, { options })).toEqual([
      { notification: null, channel: null, kind: 'unknown_people', detail: '2 of 3 names in limit_to are not users.' },
      { ...tellOver('inbox'), kind: 'empty_audience', detail: 'The notification has no recipients.' },
    ]);
  });

  it('of names that a template lacks, for anyone it is rendered for', async () => {
    const text = '{{ order }} {{ customer.name }} {{ user.custom_fields.team }} {{ user.first_name }}';
    expect(await warningsOf({ notifications: [saying({ text })] }, { context: { customer: {} } })).toEqual([
      {
        ...tellOver('inbox'),
        kind: 'missing_variables',
        detail: 'The context has no value for order, customer.name, user.custom_fields.team.',
      },
    ]);
    const huge = `{{ ${'order['.repeat(300)}0${']'.repeat(300)} }}`;
    expect(await warningsOf({ notifications: [saying({ text: huge })] }, { context: { order: 1 } })).toEqual([
      { ...tellOver('inbox'), kind: 'not_checked', detail: 'The template is too complex to be checked.' },
    ]);
  });

  it('of a template that fails', async () => {
    const notifications = [saying({ text: '{{ code | base64_decode }}' })];
    expect(await warningsOf({ notifications }, { context: { code: '!' } })).toEqual([
      {
        ...tellOver('inbox'),
        kind: 'template_failed',
        detail: expect.stringMatching(/^The template failed: .*base64.*\.$/i),
      },
    ]);
  });
});

describe('a simulation refuses what a trigger refuses', () => {
  // A simulation has more fields.
  const withoutKnown = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll(/Known: [^"]*/g, ''));
  const both = async (tenant: Tenant, send: (path: string) => Promise<{ status: number; body: unknown }>) => {
    const triggered = await send(pathOf(tenant).replace('simulate', 'trigger'));
    const simulated = await send(pathOf(tenant));
    expect(triggered.status).toBeGreaterThanOrEqual(400);
    expect([simulated.status, withoutKnown(simulated.body)]).toEqual([triggered.status, withoutKnown(triggered.body)]);
    return simulated;
  };

  it.each<[string, unknown]>([
    ['a list', []],
    ['an unknown field', { contxt: {} }],
    ['a context that is no object', { context: [] }],
    ['options that are no object', { options: 'x' }],
    ['an unknown option', { options: { chanels: ['mail'] } }],
    ['an unknown channel', { options: { channels: ['mail', 'pigeon'] } }],
    ['no channels', { options: { channels: [] } }],
    ['people who are no list', { options: { limit_to: ANN } }],
    ['a time that is none', { options: { send_at: 'tomorrow' } }],
    ['an end before the start', { options: { send_at: '2040-01-01T00:00:00Z', expires_at: '2039-01-01T00:00:00Z' } }],
    ['a start that is over', { options: { send_at: '2020-01-01T00:00:00Z' } }],
    ['an end that is over', { options: { expires_at: '2020-01-01T00:00:00Z' } }],
    ['a priority that is none', { options: { priority: 'urgent' } }],
    ['several at once', { x: 1, context: 1, options: { y: 2, expires_at: 3 } }],
  ])('%s', async (_, body) => {
    const tenant = await tenantWith();
    const { status } = await both(tenant, (path) =>
      app
        .as(tenant.key)
        .post(path)
        .send(body as object),
    );
    expect(status).toBe(400);
  });

  it('what is no JSON, is too large, or comes without a key or its permission', async () => {
    const tenant = await tenantWith();
    const post = (path: string, key: string | undefined, type: string, body: string) =>
      app.as(key).post(path).set('Content-Type', type).send(body);
    const reader = await app.key({ org: tenant.org, permissions: ['event:list'] });
    const large = JSON.stringify({ context: { x: 'x'.repeat(300 * 1024) } });
    const statuses = [];
    for (const [key, type, body] of [
      [tenant.key, 'text/plain', '{}'],
      [tenant.key, 'application/json', '{'],
      [tenant.key, 'application/json', large],
      [undefined, 'application/json', '{}'],
      [reader, 'application/json', '{}'],
    ] as const) {
      statuses.push((await both(tenant, (path) => post(path, key, type, body))).status);
    }
    expect(statuses).toEqual([415, 400, 413, 401, 403]);
  });

  it.each([[null], [''], ['2030-01-01'], ['2030-02-30T00:00:00Z'], [1], [{}]])('an `at` of %j, besides', async (at) => {
    const tenant = await tenantWith();
    const { status, body } = await app.as(tenant.key).post(pathOf(tenant)).send({ at });
    const sentence = 'must be a time with its zone, such as 2030-01-01T08:00:00Z';
    expect([status, body]).toEqual([400, invalid({ at: [sentence] })]);
  });

  it('an `at` together with whatever else is wrong; a trigger knows no `at`', async () => {
    const tenant = await tenantWith();
    const errors = async (path: string) =>
      ((await app.as(tenant.key).post(path).send({ at: 'x', context: 1 })).body as { errors: object }).errors;
    expect(Object.keys(await errors(pathOf(tenant)))).toEqual(['at', 'context']);
    expect(await errors(pathOf(tenant).replace('simulate', 'trigger'))).toMatchObject({
      at: ['is not a known field. Known: context, options'],
    });
  });
});

describe('a key without user:read', () => {
  it('gets the numbers, and neither people nor texts', async () => {
    const spill = { text: '{{ user | json }}', subject: '{{ user.email }}' };
    const tenant = await tenantWith({
      users: USERS.map((user) => (user.email === EVE ? { ...user, locked: true } : user)),
      notifications: [
        toAudience(
          { field: 'email', ends_with: '@acme.test' },
          { name: 'Spill', templates: [over('inbox', spill), over('mail', spill)] },
        ),
        tell({
          name: 'Broken',
          templates: [over('inbox', { text: '{{ user.email | date: "%Y" | at_least: user }}' })],
        }),
      ],
    });
    const all = await simulate(tenant);
    expect(all.messages.map(({ user }) => user)).toEqual(expect.arrayContaining([ANN, BOB]));
    const key = await app.key({ org: tenant.org, permissions: ['event:trigger'] });
    const { status, body } = await app.as(key).post(pathOf(tenant)).send({});
    expect([status, body]).toEqual([
      200,
      {
        ...{ rules: all.rules, totals: all.totals, messages: [], time_line: [], ends: [] },
        warnings: [
          {
            ...{ notification: null, channel: null, kind: 'not_checked' },
            detail: 'Messages are neither rendered nor shown: the API key lacks the permission user:read.',
          },
        ],
      },
    ]);
    for (const text of [ANN, BOB, EVE, 'sales']) expect(JSON.stringify(body)).not.toContain(text);
  });
});
