import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
let mails: SmtpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
});
beforeEach(async () => {
  [hooks, mails] = await Promise.all([HttpSink.start(), SmtpSink.start()]);
});
afterEach(() => Promise.all([hooks.close(), mails.close()]));
afterAll(() => app.stop());

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const BOTH = [
  { channel: 'hook', text: 'Hi' },
  { channel: 'mail', subject: 'Hi', text: 'Hi' },
];
const OVER_HOOK = BOTH.slice(0, 1);

const rule = (entry: Partial<NotificationEntry>): NotificationEntry => ({ name: 'Tell', templates: BOTH, ...entry });
const toStaff = (entry: Partial<NotificationEntry> = {}) => rule({ distribution_list: 'Staff', ...entry });

/** A tenant with a webhook and a mail server, who tells Ann and Bob unless something else is said. */
const tenantWith = (given: Given) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), mail('mail', mails.port)],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [toStaff()],
    ...given,
  });

/** Who was reached, over what. */
const arrived = () => ({
  hook: hooks.requests.map(({ body }) => (JSON.parse(body) as { data: { user: string } }).data.user).sort(),
  mail: mails.mails.flatMap(({ envelope }) => envelope.to).sort(),
});

const NOBODY = { hook: [], mail: [] };

describe('a person is sent nothing, and it is stored why,', () => {
  it('when they are not active in the list', async () => {
    const tenant = await tenantWith({ lists: [{ name: 'Staff', members: [ANN, { email: BOB, active: false }] }] });
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { channel: 'hook', user: ANN, status: 'sent', gate: null },
      { channel: 'hook', user: BOB, status: 'skipped', gate: 'inactive', attempts: 0 },
      { channel: 'mail', user: ANN, status: 'sent', gate: null },
      { channel: 'mail', user: BOB, status: 'skipped', gate: 'inactive', attempts: 0 },
    ]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [ANN] });
  });

  it('when they are locked', async () => {
    const tenant = await tenantWith({
      users: [{ email: ANN }, { email: BOB, locked: true }],
      notifications: [toStaff({ templates: OVER_HOOK })],
    });
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { user: ANN, status: 'sent', gate: null },
      { user: BOB, status: 'skipped', gate: 'locked', attempts: 0 },
    ]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [] });
  });

  it('when they are locked while a retry waits', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantWith({ notifications: [toStaff({ templates: OVER_HOOK })] });
    const occurrence = await tenant.trigger({}, { limit_to: [BOB] });
    await tenant.tried(occurrence, 1);
    await tenant.apply({ users: [{ email: BOB, locked: true }] });
    hooks.reply = () => ({ status: 200 });
    await travelToNextAttempt(app);
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: BOB, status: 'skipped', gate: 'locked' }]);
    expect(hooks.requests).toHaveLength(1);
  });

  it('when they have only a phone and the message is a mail', async () => {
    const tenant = await tenantWith({
      users: [{ email: ANN, addresses: [{ name: 'phone', value: '+15551234567' }] }, { email: BOB }],
      lists: [],
      notifications: [rule({ audience: { address: 'phone' } })],
    });
    await app.pool.query(
      `delete from addresses a using users u, organizations o
       where a.user_id = u.id and o.id = u.organization_id and o.slug = $1 and u.email = $2 and a.name = 'email'`,
      [tenant.org, ANN],
    );
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { channel: 'hook', user: ANN, status: 'sent', gate: null },
      { channel: 'mail', user: ANN, status: 'skipped', gate: 'no_address', attempts: 0 },
    ]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [] });
  });
});

describe('a channel', () => {
  it('that is switched off carries nothing yet, and its neighbour does', async () => {
    const tenant = await tenantWith({
      channels: [{ ...webhook('hook', hooks.url()), enabled: false }, mail('mail', mails.port)],
    });
    const occurrence = await tenant.trigger();
    await until(15_000, async () => arrived().mail.length === 2);
    await queueIsEmpty(app);
    expect(await tenant.deliveries(occurrence)).toMatchObject([
      { channel: 'hook', user: ANN, status: 'pending' },
      { channel: 'hook', user: BOB, status: 'pending' },
      { channel: 'mail', user: ANN, status: 'sent' },
      { channel: 'mail', user: BOB, status: 'sent' },
    ]);
    expect(await tenant.decisions(occurrence)).toMatchObject([
      {
        name: 'Tell',
        verdict: 'matched',
        channels: [
          { slug: 'hook', verdict: 'open' },
          { slug: 'mail', verdict: 'open' },
        ],
      },
    ]);
    expect(arrived()).toEqual({ hook: [], mail: [ANN, BOB] });
  });

  it('that is deleted while a retry waits does not carry it', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantWith({ notifications: [toStaff({ templates: OVER_HOOK })] });
    const occurrence = await tenant.trigger();
    await tenant.tried(occurrence, 1);
    await app.pool.query(
      'delete from templates where channel_id in (select channel_id from deliveries where occurrence_id = $1)',
      [occurrence],
    );
    await app.pool.query(
      'delete from channels where id in (select channel_id from deliveries where occurrence_id = $1)',
      [occurrence],
    );
    await travelToNextAttempt(app);
    const gates = await until(15_000, async () => {
      const sql = 'select gate, attempts from deliveries where occurrence_id = $1 and status = $2';
      const { rows } = await app.pool.query<object>(sql, [occurrence, 'skipped']);
      return rows.length === 2 && rows;
    });
    expect(gates).toEqual(Array(2).fill({ gate: 'channel_disabled', attempts: 1 }));
    const why = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${ANN}`);
    expect(why.body).toMatchObject({
      sentence: `${ANN} was not sent "Tell" over hook, because the channel was deleted.`,
    });
    await queueIsEmpty(app);
    expect(hooks.requests).toHaveLength(2);
  });

  it.each([
    ['its slug', 'hook'],
    ['its type', 'webhook'],
  ])('that the trigger names by %s is the only one used', async (_, name) => {
    const tenant = await tenantWith({});
    const occurrence = await tenant.trigger({}, { channels: [name] });
    await tenant.settled(occurrence);
    expect(arrived()).toEqual({ hook: [ANN, BOB], mail: [] });
    expect((await tenant.decisions(occurrence))[0]!.channels).toMatchObject([
      { slug: 'hook', verdict: 'open' },
      { slug: 'mail', verdict: 'not_chosen' },
    ]);
  });

  it('that a member chose is the only one they are reached by', async () => {
    const tenant = await tenantWith({ lists: [{ name: 'Staff', members: [ANN, { email: BOB, channel: 'mail' }] }] });
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { channel: 'hook', user: ANN, status: 'sent' },
      { channel: 'mail', user: ANN, status: 'sent' },
      { channel: 'mail', user: BOB, status: 'sent' },
    ]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [ANN, BOB] });
  });
});

describe('a rule', () => {
  it('whose condition the context does not meet reaches nobody', async () => {
    const tenant = await tenantWith({ notifications: [toStaff({ when: 'total > `100`' })] });
    const small = await tenant.trigger({ total: 100 });
    expect(await tenant.settled(small)).toEqual([]);
    expect(await tenant.decisions(small)).toMatchObject([{ name: 'Tell', verdict: 'filtered' }]);
    expect(arrived()).toEqual(NOBODY);
    const large = await tenant.trigger({ total: 101 });
    await tenant.settled(large);
    expect(await tenant.decisions(large)).toMatchObject([{ name: 'Tell', verdict: 'matched' }]);
    expect(arrived()).toEqual({ hook: [ANN, BOB], mail: [ANN, BOB] });
  });

  it('that is disabled reaches nobody, and its neighbour does', async () => {
    const tenant = await tenantWith({
      notifications: [toStaff({ name: 'Off', enabled: false }), toStaff({ name: 'On', templates: OVER_HOOK })],
    });
    const occurrence = await tenant.trigger();
    const deliveries = await tenant.settled(occurrence);
    expect(deliveries.map(({ notification }) => notification)).toEqual(['On', 'On']);
    expect(await tenant.decisions(occurrence)).toMatchObject([
      { name: 'Off', verdict: 'disabled' },
      { name: 'On', verdict: 'matched' },
    ]);
    expect(arrived()).toEqual({ hook: [ANN, BOB], mail: [] });
  });

  it('with an audience reaches only those whom it describes', async () => {
    const tenant = await tenantWith({
      users: [
        { email: ANN, custom_fields: { team: 'ops' } },
        { email: BOB, custom_fields: { team: 'sales' } },
      ],
      notifications: [rule({ audience: { field: 'custom_fields.team', is: 'ops' } })],
    });
    const deliveries = await tenant.triggerAndSettle();
    expect(deliveries.map(({ user }) => user)).toEqual([ANN, ANN]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [ANN] });
  });
});

describe('the options of a trigger', () => {
  it('limit it to the people they name, among those whom the rule means', async () => {
    const tenant = await tenantWith({
      users: [{ email: 'eve@acme.test' }],
      notifications: [toStaff({ templates: OVER_HOOK })],
    });
    const deliveries = await tenant.triggerAndSettle({}, { limit_to: ['BOB@acme.test', 'eve@acme.test'] });
    expect(deliveries).toMatchObject([{ user: BOB, status: 'sent' }]);
    expect(arrived()).toEqual({ hook: [BOB], mail: [] });
  });

  it('limit it to nobody when they name nobody whom the rule means', async () => {
    const tenant = await tenantWith({});
    expect(await tenant.triggerAndSettle({}, { limit_to: ['nobody@acme.test'] })).toEqual([]);
    expect(arrived()).toEqual(NOBODY);
  });

  it('keep back a message that had expired before it could leave', async () => {
    const tenant = await tenantWith({});
    const occurrence = await tenant.triggerExpired();
    const deliveries = await tenant.settled(occurrence);
    expect(arrived()).toEqual(NOBODY);
    expect(deliveries.filter(({ status }) => status === 'sent')).toEqual([]);
  });

  it('keep back a message that expires while its retry waits', async () => {
    hooks.reply = () => ({ status: 500 });
    const tenant = await tenantWith({ notifications: [toStaff({ templates: OVER_HOOK })] });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const occurrence = await tenant.trigger({}, { limit_to: [ANN], expires_at });
    await tenant.tried(occurrence, 1);
    // An hour goes by.
    await app.pool.query(
      `update occurrences set options = options || jsonb_build_object('expires_at', now() - interval '1 second') where id = $1`,
      [occurrence],
    );
    hooks.reply = () => ({ status: 200 });
    await travelToNextAttempt(app);
    expect(await tenant.settled(occurrence)).not.toMatchObject([{ status: 'sent' }]);
    expect(hooks.requests).toHaveLength(1);
  });
});

describe('one person gets one message', () => {
  it('when two lists hold them, once inactive and once active', async () => {
    const tenant = await tenantWith({
      lists: [
        { name: 'Staff', members: [{ email: ANN, active: false }, BOB] },
        { name: 'Board', members: [ANN, BOB] },
      ],
      notifications: [rule({ distribution_lists: ['Staff', 'Board'], templates: OVER_HOOK })],
    });
    expect(await tenant.triggerAndSettle()).toMatchObject([
      { user: ANN, status: 'sent', gate: null },
      { user: BOB, status: 'sent', gate: null },
    ]);
    expect(arrived()).toEqual({ hook: [ANN, BOB], mail: [] });
  });

  it('when a list and an audience both mean them', async () => {
    const tenant = await tenantWith({
      notifications: [toStaff({ audience: { field: 'email', starts_with: 'ann' } })],
    });
    expect(await tenant.triggerAndSettle()).toHaveLength(4);
    expect(arrived()).toEqual({ hook: [ANN, BOB], mail: [ANN, BOB] });
  });

  it('when their list says that they are not active and the audience means them', async () => {
    const tenant = await tenantWith({
      lists: [{ name: 'Staff', members: [{ email: ANN, active: false }] }],
      notifications: [toStaff({ audience: { field: 'email', is: ANN }, templates: OVER_HOOK })],
    });
    expect(await tenant.triggerAndSettle()).toMatchObject([{ user: ANN, status: 'sent' }]);
    expect(arrived()).toEqual({ hook: [ANN], mail: [] });
  });
});
