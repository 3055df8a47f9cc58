import { describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { forbidden } from '../support/contract/problems.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, mail, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

interface Channel {
  channel: string | null;
  outcome: string;
  gate: string | null;
  sentence: string;
  evidence: Record<string, unknown>;
  delivery: number | null;
  evaluated: string;
}

interface Explained {
  user: string;
  outcome: string;
  gate: string | null;
  sentence: string;
  rules: { notification: string; verdict: string; sentence: string; channels: Channel[] }[];
}

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (sink) => (hooks = sink),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const ANN_LEE = `Ann Lee (${ANN})`;
const Y2040 = '2040-01-01T08:00:00Z';

const OVER_INBOX = [{ channel: 'inbox', text: 'Hi' }];
const OVER_HOOK = [{ channel: 'hook', text: 'Hi' }];
const OVER_BOTH = [...OVER_HOOK, ...OVER_INBOX];

const tell = (entry: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  templates: OVER_INBOX,
  ...entry,
});

/** A tenant who tells Ann over an inbox, unless something else is said. */
const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    channels: [inbox('inbox'), webhook('hook', hooks.url())],
    users: [{ email: ANN, first_name: 'Ann', last_name: 'Lee' }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [tell()],
    ...given,
  });

const pathOf = (tenant: Tenant, occurrence: string) => `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;

async function explain(tenant: Tenant, occurrence: string, user = ANN): Promise<Explained> {
  const { status, body } = await app.as(tenant.key).get(pathOf(tenant, occurrence)).query({ user });
  expect([status, body]).toMatchObject([200, { user: expect.any(String) }]);
  return body as Explained;
}

/** The explanation where there is one rule with one channel: all its sentences are the same. */
async function explainOne(tenant: Tenant, occurrence: string, user = ANN) {
  const explained = await explain(tenant, occurrence, user);
  const { outcome, gate, sentence, rules } = explained;
  expect(rules).toHaveLength(1);
  const [{ channels, verdict, sentence: ruleSentence }] = rules as [Explained['rules'][0]];
  expect(channels).toHaveLength(1);
  const [channel] = channels as [Channel];
  expect({ outcome, gate, ruleSentence }).toEqual({
    outcome: channel.outcome,
    gate: channel.gate,
    ruleSentence: sentence,
  });
  return { ...channel, verdict, sentence, alone: channel.sentence };
}

const seconds = (time: unknown) => String(time).replace(/\.\d+Z$/, 'Z');

const change = (sql: string, occurrence: string) => app.pool.query(sql, [occurrence]);

async function timesOf(occurrence: string): Promise<{ expandedAt: string; canceledAt: string }> {
  const { rows } = await change(
    'select expanded_at "expandedAt", canceled_at "canceledAt" from occurrences where id = $1',
    occurrence,
  );
  const [{ expandedAt, canceledAt }] = rows as [{ expandedAt: Date | null; canceledAt: Date | null }];
  return { expandedAt: expandedAt?.toISOString() ?? '', canceledAt: canceledAt?.toISOString() ?? '' };
}

async function settle(tenant: Tenant, context: object = {}, options: object = {}): Promise<string> {
  const occurrence = await tenant.trigger(context, options);
  await tenant.settled(occurrence);
  return occurrence;
}

async function addToStaff(tenant: Tenant, email: string): Promise<void> {
  const lists = `/api/o/${tenant.org}/p/shop/d/`;
  const { body } = await app.as(tenant.key).get(lists);
  const [{ id }] = body as [{ id: number }];
  expect((await app.as(tenant.key).post(`${lists}${id}/add/`).send([email])).status).toBe(200);
}

describe('what was sent', () => {
  it('is said with its time, and alone with its attempt and the answer', async () => {
    const tenant = await tenantWith();
    const occurrence = await settle(tenant);
    const [delivery] = await tenant.deliveries(occurrence);
    const [attempt] = await tenant.attempts(occurrence);
    const at = attempt!.at.toISOString();
    const sentence = `${ANN_LEE} was sent "Tell" over inbox at ${seconds(at)}`;
    expect(await explain(tenant, occurrence)).toEqual({
      user: ANN,
      outcome: 'sent',
      gate: null,
      sentence: `${sentence}.`,
      schedule: null,
      rules: [
        {
          notification: 'Tell',
          verdict: 'matched',
          sentence: `${sentence}.`,
          channels: [
            {
              channel: 'inbox',
              outcome: 'sent',
              gate: null,
              sentence: `${sentence} on attempt 1; the provider answered "in the inbox".`,
              evidence: { at, attempt: 1, answer: 'in the inbox' },
              delivery: Number(delivery!.id),
              step: null,
              evaluated: 'stored',
            },
          ],
        },
      ],
    });
  });

  it('is found by a username in any case', async () => {
    const tenant = await tenantWith();
    expect(await explain(tenant, await settle(tenant), 'ANN@Acme.Test')).toMatchObject({ user: ANN, outcome: 'sent' });
  });

  it('stands before what waits, over another channel', async () => {
    const tenant = await tenantWith({
      channels: [inbox('inbox'), { ...webhook('hook', hooks.url()), enabled: false }],
      notifications: [tell({ name: 'Tell the staff', templates: OVER_BOTH })],
    });
    const occurrence = await tenant.trigger();
    const sent = `select from deliveries where occurrence_id = $1 and status = 'sent'`;
    await until(15_000, async () => ((await app.pool.query(sent, [occurrence])).rowCount ?? 0) > 0);
    const explained = await explain(tenant, occurrence);
    const at = seconds(explained.rules[0]!.channels.find(({ channel }) => channel === 'inbox')!.evidence.at);
    expect(explained).toMatchObject({ outcome: 'sent', gate: null });
    expect(explained.sentence).toBe(
      `${ANN_LEE} was sent "Tell the staff" over inbox at ${at}; is waiting for it over hook: the channel is switched off.`,
    );
  });

  it('in place of another channel says so, and so does what that channel did', async () => {
    hooks.reply = () => ({ status: 400, body: 'no' });
    const tenant = await tenantWith({ notifications: [tell({ templates: OVER_HOOK })] });
    const occurrence = await settle(tenant);
    await change(
      `with fallen as (
         insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, attempts,
                                 fallback_of, template_channel_id)
         select d.occurrence_id, d.organization_id, d.notification_id, c.id, d.user_id, 'sent', 1, d.id, d.channel_id
         from deliveries d join channels c on c.organization_id = d.organization_id and c.slug = 'inbox'
         where d.occurrence_id = $1
         returning id
       )
       insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
       select id, 1, '2030-01-01T08:00:00Z', 1, 'sent', 'in the inbox' from fallen`,
      occurrence,
    );
    const explained = await explain(tenant, occurrence);
    const [hook, stoodIn] = explained.rules[0]!.channels as [Channel, Channel];
    expect(hook).toMatchObject({ channel: 'hook', outcome: 'dead', gate: null });
    expect(stoodIn).toMatchObject({
      channel: 'inbox',
      outcome: 'sent',
      evidence: { in_place_of: 'hook', attempt: 1 },
      evaluated: 'stored',
    });
    expect(explained.outcome).toBe('sent');
    expect(explained.sentence).toBe(
      `${ANN_LEE} was sent "Tell" over inbox in place of hook at 2030-01-01T08:00:00Z; did not get it over hook: rejected by the provider: 400 no.`,
    );
  });
});

describe('what waits', () => {
  const overHook = { notifications: [tell({ templates: OVER_HOOK })] };

  it('for its next attempt says when, and what the last one was answered', async () => {
    hooks.reply = () => ({ status: 500, body: 'out of order' });
    const tenant = await tenantWith(overHook);
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    const one = await explainOne(tenant, occurrence);
    expect(one).toMatchObject({
      outcome: 'waiting',
      gate: null,
      evaluated: 'stored',
      evidence: { attempts: 1, answer: '500 out of order', next_attempt_at: expect.any(String) },
    });
    expect(one.sentence).toBe(
      `${ANN_LEE} is waiting for "Tell" over hook: attempt 2 is due at ${seconds(one.evidence.next_attempt_at)}; the last answer was "500 out of order".`,
    );
  });

  it('for a channel that rests says since when it fails and when it is tried again', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantWith(overHook);
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    // Before its job ends, the worker stores the state of the channel, too.
    const running = `select from jobs where state = 'running' and organization_id = (select organization_id from occurrences where id = $1)`;
    await until(10_000, async () => (await app.pool.query(running, [occurrence])).rowCount === 0);
    await app.pool.query(
      `insert into channel_states (channel_id, failures, failing_since, probe_at)
       select channel_id, 10, '2030-01-01T08:00:00Z', '2040-01-01T08:00:00Z' from deliveries where occurrence_id = $1
       on conflict (channel_id) do update set failures = 10, failing_since = excluded.failing_since,
         probe_at = excluded.probe_at`,
      [occurrence],
    );
    const one = await explainOne(tenant, occurrence);
    expect(one).toMatchObject({ outcome: 'waiting', gate: null });
    // Nothing of what the channel said: that may have been about somebody else's message.
    expect(one.evidence).toEqual({
      attempts: 1,
      answer: '500',
      next_attempt_at: expect.any(String),
      failing_since: '2030-01-01T08:00:00.000Z',
      probe_at: '2040-01-01T08:00:00.000Z',
    });
    expect(one.sentence).toBe(
      `${ANN_LEE} is waiting for "Tell" over hook: the channel has been failing since 2030-01-01T08:00:00Z and is tried again at 2040-01-01T08:00:00Z.`,
    );
  });

  it('for a place to be sent says that it is about to be', async () => {
    hooks.reply = () => 'silence';
    const tenant = await tenantWith(overHook);
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 0);
    const one = await explainOne(tenant, occurrence);
    expect(one).toMatchObject({ outcome: 'waiting', evidence: { attempts: 0, next_attempt_at: null } });
    expect(one.sentence).toBe(`${ANN_LEE} is waiting for "Tell" over hook: it is about to be sent.`);
  });

  it('for its time says which, and who will not be among its people', async () => {
    const tenant = await tenantWith({
      users: [
        { email: ANN, first_name: 'Ann', last_name: 'Lee' },
        { email: BOB, locked: true },
      ],
    });
    await addToStaff(tenant, BOB);
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'waiting',
      gate: null,
      sentence: `${ANN_LEE} is waiting for "Tell" over inbox: the occurrence is scheduled for ${Y2040}.`,
      evidence: { status: 'scheduled', send_at: Y2040 },
      delivery: null,
      evaluated: 'now',
    });
    expect(await explainOne(tenant, occurrence, BOB)).toMatchObject({
      outcome: 'not_sent',
      gate: 'locked',
      sentence: `${BOB} was not sent "Tell" over inbox, because the user is locked.`,
      evaluated: 'now',
    });
  });

  it('for a worker says so, before and while the recipients are resolved', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    await change(`update occurrences set options = '{}' where id = $1`, occurrence);
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'waiting',
      evidence: { status: 'pending' },
      sentence: `${ANN_LEE} is waiting for "Tell" over inbox: the recipients have not been resolved yet.`,
    });
    await change(`update occurrences set status = 'expanding' where id = $1`, occurrence);
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'waiting',
      evidence: { status: 'expanding' },
      sentence: `${ANN_LEE} is waiting for "Tell" over inbox: the recipients are being resolved.`,
    });
  });
});

describe('what is dead', () => {
  it('says what the provider refused', async () => {
    hooks.reply = () => ({ status: 410, body: 'gone' });
    const tenant = await tenantWith({ notifications: [tell({ templates: OVER_HOOK })] });
    expect(await explainOne(tenant, await settle(tenant))).toMatchObject({
      outcome: 'dead',
      gate: null,
      sentence: `${ANN_LEE} did not get "Tell" over hook: rejected by the provider: 410 gone.`,
      evidence: { reason: 'rejected by the provider: 410 gone', attempts: 1, answer: '410 gone' },
      evaluated: 'stored',
    });
  });

  it('says what is wrong with its template', async () => {
    const tenant = await tenantWith({
      notifications: [tell({ templates: [{ channel: 'inbox', text: '{{ code | base64_decode }}' }] })],
    });
    const one = await explainOne(tenant, await settle(tenant, { code: 'not base64!' }));
    expect(one).toMatchObject({ outcome: 'dead', gate: null, evidence: { attempts: 0, at: null, answer: null } });
    expect(one.sentence).toMatch(
      /^Ann Lee \(ann@acme\.test\) did not get "Tell" over inbox: the template failed: .*base64.*\.$/i,
    );
  });

  it('because the condition of its rule failed says so', async () => {
    const tenant = await tenantWith({ notifications: [tell({ when: 'length(total) > `0`' })] });
    expect(await explainOne(tenant, await settle(tenant, { total: 7 }))).toMatchObject({
      outcome: 'dead',
      gate: 'failed',
      verdict: 'failed',
      sentence: `${ANN_LEE} did not get "Tell" over inbox: the condition of the rule failed: length() cannot take number.`,
      evidence: { when: 'length(total) > `0`', values: { total: 7 } },
    });
  });
});

describe('a rule decides against everyone', () => {
  it('when it was switched off', async () => {
    const tenant = await tenantWith({ notifications: [tell({ enabled: false, templates: OVER_BOTH })] });
    const explained = await explain(tenant, await settle(tenant));
    expect(explained).toMatchObject({
      outcome: 'not_sent',
      gate: 'disabled',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox and hook, because the notification was switched off.`,
      rules: [{ verdict: 'disabled', channels: [{ gate: 'disabled' }, { gate: 'disabled' }] }],
    });
    expect(explained.rules[0]!.channels[0]).toMatchObject({
      delivery: null,
      evidence: { enabled: false },
      evaluated: 'stored',
    });
  });

  it('when its condition did not hold, with the values it looked at', async () => {
    const when = "total > `100` && customer.country == 'DE'";
    const tenant = await tenantWith({ notifications: [tell({ when })] });
    const context = { total: 100, customer: { country: 'AT' }, secret: 'not looked at' };
    expect(await explainOne(tenant, await settle(tenant, context))).toMatchObject({
      gate: 'filtered',
      verdict: 'filtered',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the condition "${when}" was false with total = 100, customer = {"country":"AT"}.`,
      evidence: { when, values: { total: 100, customer: { country: 'AT' } } },
      evaluated: 'stored',
    });
  });

  it('when its condition looks at what is not there', async () => {
    const tenant = await tenantWith({ notifications: [tell({ when: 'total' })] });
    expect(await explainOne(tenant, await settle(tenant))).toMatchObject({
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the condition "total" was false with total = null.`,
      evidence: { when: 'total', values: { total: null } },
    });
  });

  it('when its condition will fail, as far as one can see before its time', async () => {
    const tenant = await tenantWith({ notifications: [tell({ when: 'length(total) > `0`' })] });
    const occurrence = await tenant.trigger({ total: 7 }, { send_at: Y2040 });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'not_sent',
      gate: 'failed',
      evaluated: 'now',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the condition of the rule failed: length() cannot take number.`,
    });
  });

  it('when it had no template', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    await change(
      `update rule_versions v set rule = jsonb_set(rule, '{templates}', '[]')
       from occurrences o join rulesets r on r.id = o.ruleset_id where v.id = any(r.versions) and o.id = $1`,
      occurrence,
    );
    expect(await explain(tenant, occurrence)).toMatchObject({
      outcome: 'not_sent',
      sentence: `${ANN_LEE} was not sent "Tell", because it has no template.`,
      rules: [{ channels: [] }],
    });
  });

  it('when there is none', async () => {
    const tenant = await tenantWith({ notifications: [] });
    expect(await explain(tenant, await settle(tenant))).toEqual({
      user: ANN,
      outcome: 'not_sent',
      gate: 'no_rules',
      sentence: `${ANN_LEE} was not sent anything, because the event had no notifications when it was triggered.`,
      schedule: null,
      rules: [],
    });
  });
});

describe('a channel decides against everyone', () => {
  it('when it was deleted', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    await tenant.apply({ notifications: [tell({ templates: OVER_HOOK })] });
    await app.pool.query(
      `delete from channels where slug = 'inbox' and organization_id = (select id from organizations where slug = $1)`,
      [tenant.org],
    );
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      channel: null,
      gate: 'gone',
      sentence: `${ANN_LEE} was not sent "Tell" over a deleted channel, because the channel was deleted.`,
      evidence: { channel: expect.any(Number) },
    });
  });

  it('when the trigger chose others', async () => {
    const tenant = await tenantWith();
    expect(await explainOne(tenant, await settle(tenant, {}, { channels: ['hook', 'email'] }))).toMatchObject({
      gate: 'not_chosen',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the trigger chose only hook and email.`,
      evidence: { channels: ['hook', 'email'] },
      evaluated: 'stored',
    });
  });

  it('when an earlier release found it switched off, even if it is on again', async () => {
    const tenant = await tenantWith({ channels: [{ ...inbox('inbox'), enabled: false }] });
    const occurrence = await tenant.trigger();
    const expanded = `select from occurrences where id = $1 and status = 'expanded'`;
    await until(15_000, async () => (await app.pool.query(expanded, [occurrence])).rowCount === 1);
    await change(
      `with gone as (delete from deliveries where occurrence_id = $1)
       update occurrences set decisions = replace(decisions::text, '"open"', '"disabled"')::jsonb where id = $1`,
      occurrence,
    );
    const sentence = `${ANN_LEE} was not sent "Tell" over inbox, because the channel was switched off`;
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'channel_disabled',
      alone: `${sentence}.`,
      evidence: { enabled_now: false },
      delivery: null,
    });
    await tenant.apply({ channels: [{ ...inbox('inbox'), enabled: true }] });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'channel_disabled',
      sentence: `${sentence}.`,
      alone: `${sentence}; it is switched on now.`,
      evidence: { enabled_now: true },
      evaluated: 'stored',
    });
  });

  it('only until it is on again, when it is switched off before its time has come', async () => {
    const tenant = await tenantWith({ channels: [{ ...inbox('inbox'), enabled: false }] });
    expect(await explainOne(tenant, await tenant.trigger({}, { send_at: Y2040 }))).toMatchObject({
      outcome: 'waiting',
      gate: null,
      sentence: `${ANN_LEE} is waiting for "Tell" over inbox: the channel is switched off.`,
      evidence: { switched_off: 'channel' },
      evaluated: 'now',
    });
  });

  it('only until it is on again, when it was switched off while a retry waited', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantWith({ notifications: [tell({ templates: OVER_HOOK })] });
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    await tenant.apply({ channels: [{ ...webhook('hook', hooks.url()), enabled: false }] });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'waiting',
      gate: null,
      sentence: `${ANN_LEE} is waiting for "Tell" over hook: the channel is switched off.`,
      evidence: { attempts: 1, switched_off: 'channel' },
      delivery: expect.any(Number),
      evaluated: 'now',
    });
  });
});

describe('a person is kept back', () => {
  it('when the trigger was limited to others', async () => {
    const tenant = await tenantWith();
    expect(await explainOne(tenant, await settle(tenant, {}, { limit_to: [BOB] }))).toMatchObject({
      gate: 'limited',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the trigger was limited to one other user.`,
      evidence: { limit_to: [BOB], people: 1 },
      evaluated: 'stored',
    });
    const many = Array.from({ length: 1200 }, (_, n) => `user${n}@acme.test`);
    const one = await explainOne(tenant, await settle(tenant, {}, { limit_to: many }));
    expect(one.sentence).toContain('limited to 1,200 other users');
    expect(one.evidence).toEqual({ limit_to: many.slice(0, 20), people: 1200 });
  });

  it('when they were not active, even if they are now', async () => {
    const tenant = await tenantWith({ lists: [{ name: 'Staff', members: [{ email: ANN, active: false }] }] });
    const occurrence = await settle(tenant);
    const sentence = `${ANN_LEE} was not sent "Tell" over inbox, because the user was not active in "Staff"`;
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'inactive',
      alone: `${sentence}.`,
      evidence: { lists: ['Staff'], holds_now: true },
      delivery: expect.any(Number),
    });
    await tenant.apply({ lists: [{ name: 'Staff', members: [{ email: ANN, active: true }] }] });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'inactive',
      sentence: `${sentence}.`,
      alone: `${sentence}; the user is active now.`,
      evidence: { holds_now: false },
      evaluated: 'stored',
    });
  });

  it('when they were locked, even if they are not any more', async () => {
    const ann = { email: ANN, first_name: 'Ann', last_name: 'Lee' };
    const tenant = await tenantWith({ users: [{ ...ann, locked: true }] });
    const occurrence = await settle(tenant);
    const sentence = `${ANN_LEE} was not sent "Tell" over inbox, because the user was locked`;
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'locked',
      alone: `${sentence}.`,
      evidence: { locked: true, holds_now: true },
    });
    await tenant.apply({ users: [{ ...ann, locked: false }] });
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'locked',
      alone: `${sentence}; the user is not locked any more.`,
      evidence: { holds_now: false },
    });
  });

  it('when they had no address of the kind, even if they have one now', async () => {
    const tenant = await tenantWith({
      channels: [mail('mail', 1)],
      users: [
        { email: ANN, first_name: 'Ann', last_name: 'Lee', addresses: [{ name: 'phone', value: '+15551234567' }] },
      ],
      lists: [],
      notifications: [
        tell({
          distribution_list: undefined,
          audience: { address: 'phone' },
          templates: [{ channel: 'mail', text: 'Hi' }],
        }),
      ],
    });
    const { rows } = await app.pool.query<{ id: number; user_id: number; organization_id: number }>(
      `delete from addresses a using organizations o where o.id = a.organization_id and o.slug = $1 and a.name = 'email'
       returning a.user_id, a.organization_id`,
      [tenant.org],
    );
    const occurrence = await settle(tenant);
    const sentence = `${ANN_LEE} was not sent "Tell" over mail, because the user had no "email" address`;
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'no_address',
      alone: `${sentence}.`,
      evidence: { address: 'email', holds_now: true },
    });
    await app.pool.query(`insert into addresses (organization_id, user_id, name, value) values ($1, $2, 'email', $3)`, [
      rows[0]!.organization_id,
      rows[0]!.user_id,
      ANN,
    ]);
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      gate: 'no_address',
      alone: `${sentence}; the user has one now.`,
      evidence: { address: 'email', holds_now: false },
    });
  });

  it('when it expired before it could leave', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.triggerExpired();
    await tenant.settled(occurrence);
    const expected = {
      gate: 'expired',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because it expired at 2020-01-01T08:00:00Z before it could be sent.`,
      evidence: { expires_at: '2020-01-01T08:00:00Z' },
    };
    expect(await explainOne(tenant, occurrence)).toMatchObject({ ...expected, evaluated: 'stored' });
    // No worker has come to mark it yet.
    await change(`update deliveries set status = 'pending', gate = null where occurrence_id = $1`, occurrence);
    expect(await explainOne(tenant, occurrence)).toMatchObject({ ...expected, evaluated: 'now' });
    const waiting = await tenant.trigger({}, { send_at: Y2040 });
    await change(`update occurrences set options = '{"expires_at": "2020-01-01T08:00:00Z"}' where id = $1`, waiting);
    expect(await explainOne(tenant, waiting)).toMatchObject({ ...expected, evaluated: 'now' });
  });

  it('when it was canceled, before or after the recipients were resolved', async () => {
    const tenant = await tenantWith();
    const cancel = `update occurrences set status = 'canceled', canceled_at = now() where id = $1`;
    const because = async (occurrence: string) =>
      `${ANN_LEE} was not sent "Tell" over inbox, because the occurrence was canceled at ${seconds((await timesOf(occurrence)).canceledAt)}.`;

    const before = await tenant.trigger({}, { send_at: Y2040 });
    await change(cancel, before);
    expect(await explainOne(tenant, before)).toMatchObject({
      gate: 'canceled',
      sentence: await because(before),
      evidence: { canceled_at: (await timesOf(before)).canceledAt },
      delivery: null,
    });

    const after = await settle(tenant);
    await change(cancel, after);
    await change(`update deliveries set status = 'pending' where occurrence_id = $1`, after);
    const expected = { gate: 'canceled', sentence: await because(after), delivery: expect.any(Number) };
    expect(await explainOne(tenant, after)).toMatchObject(expected);
    await change(`update deliveries set status = 'skipped', gate = 'canceled' where occurrence_id = $1`, after);
    expect(await explainOne(tenant, after)).toMatchObject(expected);
  });

  it('when the recipients could not be resolved', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    await change(`update occurrences set status = 'failed', problem = 'the sky fell.' where id = $1`, occurrence);
    expect(await explainOne(tenant, occurrence)).toMatchObject({
      outcome: 'not_sent',
      gate: 'occurrence_failed',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the recipients could not be resolved: the sky fell.`,
      evidence: { problem: 'the sky fell.' },
    });
  });

  it('when they chose another channel', async () => {
    const tenant = await tenantWith({
      lists: [{ name: 'Staff', members: [{ email: ANN, channel: 'hook' }] }],
      notifications: [tell({ templates: OVER_BOTH })],
    });
    const explained = await explain(tenant, await settle(tenant));
    const channel = explained.rules[0]!.channels.find(({ gate }) => gate)!;
    expect(explained.outcome).toBe('sent');
    expect(channel).toMatchObject({
      channel: 'inbox',
      gate: 'other_channel',
      sentence: `${ANN_LEE} was not sent "Tell" over inbox, because the user chose to be reached over hook.`,
      evidence: { channels: ['hook'] },
      evaluated: 'now',
    });
  });
});

describe('a stranger', () => {
  it('who is no user of the organization gets the same answer as a user of another one', async () => {
    const tenant = await tenantWith();
    const other = await tenantWith({ users: [{ email: 'eve@globex.test', first_name: 'Eve' }] });
    expect(other.org).not.toBe(tenant.org);
    const occurrence = await settle(tenant);
    for (const stranger of ['nobody@x', 'eve@globex.test']) {
      expect(await explain(tenant, occurrence, stranger)).toEqual({
        user: stranger,
        outcome: 'not_sent',
        gate: 'no_user',
        sentence: `${stranger} is not a user of the organization.`,
        schedule: null,
        rules: [],
      });
    }
  });

  it.each<[string, Partial<NotificationEntry>, string, object]>([
    ['list', {}, 'the user is not in "Staff"', { lists: ['Staff'], audience: null }],
    [
      'of two lists',
      { distribution_list: undefined, distribution_lists: ['Staff', 'Board'] },
      'the user is not in "Board" or "Staff"',
      { lists: ['Board', 'Staff'], audience: null },
    ],
    [
      'audience',
      { distribution_list: undefined, audience: { field: 'first_name', is: 'Ann' } },
      'the user does not match the audience',
      { lists: [], audience: { field: 'first_name', is: 'Ann' } },
    ],
    [
      'list and no audience',
      { audience: { field: 'first_name', is: 'Ann' } },
      'the user is not in "Staff" and does not match the audience',
      { lists: ['Staff'], audience: { field: 'first_name', is: 'Ann' } },
    ],
  ])('who is in no %s was not meant', async (_, entry, why, evidence) => {
    const tenant = await tenantWith({
      lists: [{ name: 'Staff', members: [ANN] }, { name: 'Board' }],
      notifications: [tell(entry)],
    });
    expect(await explainOne(tenant, await settle(tenant), BOB)).toMatchObject({
      outcome: 'not_sent',
      gate: 'not_meant',
      sentence: `${BOB} was not sent "Tell" over inbox, because ${why}.`,
      evidence,
      delivery: null,
      evaluated: 'now',
    });
  });
});

describe('who came later', () => {
  it('as a user says when they came, and when the recipients were resolved', async () => {
    const tenant = await tenantWith();
    const occurrence = await settle(tenant);
    await tenant.apply({ users: [{ email: 'new@acme.test' }] });
    await addToStaff(tenant, 'new@acme.test');
    const { expandedAt } = await timesOf(occurrence);
    const one = await explainOne(tenant, occurrence, 'new@acme.test');
    expect(one).toMatchObject({
      outcome: 'not_sent',
      gate: 'came_later',
      evidence: { user_created_at: expect.any(String), expanded_at: expandedAt, gate_now: null },
      evaluated: 'now',
    });
    expect(one.sentence).toBe(
      `new@acme.test was not sent "Tell" over inbox, because the user was created at ${seconds(one.evidence.user_created_at)}, after the recipients were resolved at ${seconds(expandedAt)}.`,
    );
  });

  it('into a list says that they are among the people only now', async () => {
    const tenant = await tenantWith();
    const occurrence = await settle(tenant);
    await addToStaff(tenant, BOB);
    const expandedAt = seconds((await timesOf(occurrence)).expandedAt);
    const why = `the user was not a recipient when the recipients were resolved at ${expandedAt}, but is one now`;
    expect(await explainOne(tenant, occurrence, BOB)).toMatchObject({
      gate: 'came_later',
      sentence: `${BOB} was not sent "Tell" over inbox, because ${why}.`,
    });
    await tenant.apply({ users: [{ email: BOB, locked: true }] });
    expect(await explainOne(tenant, occurrence, BOB)).toMatchObject({
      gate: 'came_later',
      sentence: `${BOB} was not sent "Tell" over inbox, because ${why}; also, the user is locked.`,
      evidence: { gate_now: 'locked' },
    });
  });
});

describe('a rule that was edited since', () => {
  it('does not change the answer: the one that was pinned speaks', async () => {
    const tenant = await tenantWith({ notifications: [tell({ when: 'total > `100`' })] });
    const small = await settle(tenant, { total: 1 });
    const large = await settle(tenant, { total: 101 });
    await tenant.apply({
      notifications: [
        tell({
          when: 'other',
          distribution_list: undefined,
          audience: { field: 'email', is: BOB },
          templates: OVER_HOOK,
        }),
        tell({ name: 'Newer' }),
      ],
    });
    expect(await explainOne(tenant, small)).toMatchObject({
      gate: 'filtered',
      channel: 'inbox',
      evidence: { when: 'total > `100`' },
    });
    expect(await explainOne(tenant, large)).toMatchObject({ outcome: 'sent', channel: 'inbox' });
    expect(await explainOne(tenant, large, BOB)).toMatchObject({ gate: 'not_meant', evidence: { lists: ['Staff'] } });
  });
});

describe('what became of everyone', () => {
  const totals = async (tenant: Tenant, occurrence: string) => {
    const { status, body } = await app.as(tenant.key).get(pathOf(tenant, occurrence));
    expect(status).toBe(200);
    return body as object;
  };

  it('is counted by outcome and gate, with the verdict on each rule', async () => {
    const tenant = await tenantWith({
      users: [{ email: ANN }, { email: BOB, locked: true }],
      lists: [{ name: 'Staff', members: [ANN, BOB, 'eve@acme.test', { email: 'off@acme.test', active: false }] }],
      notifications: [
        tell({ templates: OVER_BOTH }),
        tell({ name: 'Off', enabled: false }),
        tell({ name: 'Rich', when: 'total > `100`' }),
        tell({ name: 'Wrong', when: 'length(total) > `1`' }),
      ],
    });
    expect(await totals(tenant, await settle(tenant, { total: 7 }, { channels: ['inbox'] }))).toEqual({
      sentence: 'Of 8 deliveries: 2 sent, 2 given up, 2 not active, 2 locked.',
      total: 8,
      outcomes: { sent: 2, waiting: 0, dead: 2, not_sent: 4 },
      gates: { locked: 2, inactive: 2 },
      schedule: null,
      rules: [
        {
          notification: 'Tell',
          verdict: 'matched',
          sentence: '"Tell" applies over inbox; not over hook, because the trigger chose only inbox.',
        },
        {
          notification: 'Off',
          verdict: 'disabled',
          sentence: '"Off" does not apply: the notification was switched off.',
        },
        {
          notification: 'Rich',
          verdict: 'filtered',
          sentence: '"Rich" does not apply: the condition "total > `100`" was false with total = 7.',
        },
        {
          notification: 'Wrong',
          verdict: 'failed',
          sentence: '"Wrong" does not apply: the condition of the rule failed: length() cannot take number.',
        },
      ],
    });
  });

  it('is written with thousands', async () => {
    const tenant = await tenantWith();
    const occurrence = await settle(tenant);
    await change(
      `insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, gate)
       select occurrence_id, organization_id, notification_id, channel_id, -n,
              (case when n <= 9119 then 'sent' when n <= 9729 then 'skipped' when n <= 9929 then 'pending' else 'dead' end)::delivery_status,
              case when n > 9119 and n <= 9729 then 'locked'::gate end
       from deliveries, generate_series(1, 9999) n where occurrence_id = $1`,
      occurrence,
    );
    expect(await totals(tenant, occurrence)).toMatchObject({
      sentence: 'Of 10,000 deliveries: 9,120 sent, 610 locked, 200 waiting, 70 given up.',
      total: 10_000,
      outcomes: { sent: 9120, waiting: 200, dead: 70, not_sent: 610 },
      gates: { locked: 610 },
    });
  });

  it('is said too where there is nothing yet, or never will be', async () => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    const sentence = async () => ((await totals(tenant, occurrence)) as { sentence: string }).sentence;
    expect(await sentence()).toBe(`There are no deliveries; the occurrence is scheduled for ${Y2040}.`);
    await change(`update occurrences set options = '{}' where id = $1`, occurrence);
    expect(await sentence()).toBe('There are no deliveries; the recipients have not been resolved yet.');
    await change(`update occurrences set status = 'expanding' where id = $1`, occurrence);
    expect(await sentence()).toBe('There are no deliveries; the recipients are being resolved.');
    await change(`update occurrences set status = 'failed', problem = 'the sky fell' where id = $1`, occurrence);
    expect(await sentence()).toBe('There are no deliveries; the recipients could not be resolved: the sky fell.');
    await change(`update occurrences set status = 'canceled', canceled_at = now() where id = $1`, occurrence);
    const { canceledAt } = await timesOf(occurrence);
    expect(await sentence()).toBe(`There are no deliveries; the occurrence was canceled at ${seconds(canceledAt)}.`);
  });

  it('is nobody where no notification reached anybody, and where there was none', async () => {
    const empty = await tenantWith({ lists: [{ name: 'Staff' }] });
    expect(await totals(empty, await settle(empty))).toMatchObject({
      sentence: 'No notification reached anybody.',
      total: 0,
    });
    const bare = await tenantWith({ notifications: [] });
    expect(await totals(bare, await settle(bare))).toEqual({
      sentence: 'The event had no notifications when it was triggered.',
      total: 0,
      outcomes: { sent: 0, waiting: 0, dead: 0, not_sent: 0 },
      gates: {},
      schedule: null,
      rules: [],
    });
  });
});

it.each([['user='], ['user=a&user=b'], [`user=${'x'.repeat(255)}`], ['user=a%00b']])(
  'refuses ?%s, and names the field',
  async (query) => {
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger({}, { send_at: Y2040 });
    const { status, body } = await app.as(tenant.key).get(`${pathOf(tenant, occurrence)}?${query}`);
    const errors = { user: ['must be given once, as a username of 1 to 254 characters'] };
    expect([status, (body as { errors: object }).errors]).toEqual([400, errors]);
  },
);

it('explains a person only to a key with user:read, and the numbers to every key with occurrence:read', async () => {
  const tenant = await tenantWith();
  const occurrence = await tenant.trigger();
  await tenant.settled(occurrence);
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const key = await app.key({ org: tenant.org, permissions: ['occurrence:read'] });
  for (const user of [ANN, 'nobody@acme.test']) {
    const { status, body } = await app.as(key).get(`${path}?user=${user}`);
    expect([status, body]).toEqual([403, forbidden('user:read')]);
  }
  const { status, body } = await app.as(key).get(path);
  expect([status, body]).toMatchObject([200, { total: 1 }]);
  const both = await app.key({ org: tenant.org, permissions: ['occurrence:read', 'user:read'] });
  expect((await app.as(both).get(`${path}?user=${ANN}`)).body).toMatchObject({ user: ANN, outcome: 'sent' });
});

describe('one post to a room', () => {
  const toRoom = () =>
    tell({ distribution_list: undefined, templates: [{ channel: 'hook', text: 'Hi', per: 'room' }] });
  const ofRoom = `${ANN_LEE} was not sent "Tell" over hook, because the channel gets one post for everyone, which`;

  it('is no message to a person, and says what became of it', async () => {
    const tenant = await tenantWith({ notifications: [toRoom()] });
    const later = await tenant.trigger({}, { send_at: Y2040 });
    const waiting = await explainOne(tenant, later);
    expect(waiting).toMatchObject({ outcome: 'not_sent', gate: 'room', delivery: null, evaluated: 'now' });
    expect(waiting.sentence).toBe(`${ofRoom} is waiting: the occurrence is scheduled for ${Y2040}.`);

    const sent = await settle(tenant);
    const [post] = await tenant.deliveries(sent);
    const explained = await explainOne(tenant, sent);
    const { at } = explained.evidence;
    expect(explained).toMatchObject({
      gate: 'room',
      delivery: Number(post!.id),
      evidence: { post: 'sent', attempt: 1 },
    });
    expect(explained.sentence).toBe(`${ofRoom} was sent at ${seconds(at)}.`);

    hooks.reply = () => ({ status: 400, body: 'no' });
    const { sentence } = await explainOne(tenant, await settle(tenant), BOB);
    expect(sentence).toContain('which was given up: rejected by the provider: 400 no.');
  });

  it('is one delivery in the totals', async () => {
    const tenant = await tenantWith({ notifications: [toRoom()] });
    const { body } = await app.as(tenant.key).get(pathOf(tenant, await settle(tenant)));
    expect(body).toMatchObject({
      sentence: 'Of 1 delivery: 1 sent.',
      total: 1,
      rules: [{ sentence: '"Tell" applies over hook (one post to the room).' }],
    });
  });

  it('is not made when the trigger is limited to some people', async () => {
    const tenant = await tenantWith({ notifications: [toRoom()] });
    const explained = await explainOne(tenant, await settle(tenant, {}, { limit_to: [ANN] }));
    expect(explained).toMatchObject({ outcome: 'not_sent', gate: 'limited', delivery: null });
    expect(explained.sentence).toContain('the trigger was limited to some users, and the channel posts to a room');
  });
});
