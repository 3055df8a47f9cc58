import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
});
beforeEach(async () => {
  hooks = await HttpSink.start();
});
afterEach(() => hooks.close());
afterAll(() => app.stop());

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const CAT = 'cat@acme.test';

const OVER_HOOK = [{ channel: 'hook', text: 'Hi' }];
const rule = (entry: Partial<NotificationEntry>): NotificationEntry => ({
  name: 'Tell',
  templates: OVER_HOOK,
  ...entry,
});
const toRecipients = (entry: Partial<NotificationEntry> = {}) => rule({ to: 'recipients', ...entry });

const tenantWith = (given: Given) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    users: [{ email: ANN }, { email: BOB }, { email: CAT }],
    lists: [{ name: 'Staff', members: [BOB] }],
    notifications: [toRecipients()],
    ...given,
  });

const usersOf = (rows: { user: string | null; status: string }[]) => rows.map(({ user, status }) => [user, status]);

describe('a notification to the recipients of the trigger', () => {
  it('reaches exactly these users, in any case, each once', async () => {
    const tenant = await tenantWith({});
    const rows = await tenant.triggerAndSettle({}, { recipients: ['ANN@acme.test', CAT, ANN, 'nobody@acme.test'] });
    expect(usersOf(rows)).toEqual([
      [ANN, 'sent'],
      [CAT, 'sent'],
    ]);
  });

  it('reaches only those that limit_to names too', async () => {
    const tenant = await tenantWith({});
    const rows = await tenant.triggerAndSettle({}, { recipients: [ANN, BOB], limit_to: [BOB, CAT] });
    expect(usersOf(rows)).toEqual([[BOB, 'sent']]);
  });

  it('stands beside a list, an audience and a room of the same event', async () => {
    const tenant = await tenantWith({
      users: [{ email: ANN }, { email: BOB }, { email: CAT, custom_fields: { team: 'ops' } }],
      notifications: [
        toRecipients({ name: 'Customer' }),
        rule({ name: 'Staff', distribution_list: 'Staff' }),
        rule({ name: 'Ops', audience: { field: 'custom_fields.team', is: 'ops' } }),
        rule({ name: 'Room', templates: [{ channel: 'hook', text: 'Paid', per: 'room' }] }),
      ],
    });
    const rows = await tenant.triggerAndSettle({}, { recipients: [ANN] });
    expect(rows.map(({ notification, user }) => [notification, user])).toEqual([
      ['Customer', ANN],
      ['Ops', CAT],
      ['Room', null],
      ['Staff', BOB],
    ]);
  });

  it('is expanded alone for many recipients, and keeps to them', async () => {
    const users = Array.from({ length: 150 }, (_, n) => ({ email: `user-${String(n).padStart(3, '0')}@acme.test` }));
    const tenant = await tenantWith({ users: [{ email: ANN }, ...users] });
    const recipients = users.slice(0, 120).map(({ email }) => email);
    const rows = await tenant.triggerAndSettle({}, { recipients });
    expect(rows.map(({ user }) => user)).toEqual(recipients);
  });

  it('does not reach a locked user, and says why', async () => {
    const tenant = await tenantWith({ users: [{ email: ANN, locked: true }] });
    expect(await tenant.triggerAndSettle({}, { recipients: [ANN] })).toMatchObject([
      { user: ANN, status: 'skipped', gate: 'locked' },
    ]);
  });

  it('is held above the ceiling of its event', async () => {
    const tenant = await tenantWith({ maxRecipients: 1 });
    const occurrence = await tenant.trigger({}, { recipients: [ANN, BOB] });
    expect(await tenant.settled(occurrence, undefined, 'held')).toEqual([]);
    expect(usersOf(await tenant.triggerAndSettle({}, { recipients: [BOB] }))).toEqual([[BOB, 'sent']]);
  });

  it('tells the recipients if its condition fails', async () => {
    const tenant = await tenantWith({ notifications: [toRecipients({ when: 'abs(total) > `1`' })] });
    expect(await tenant.triggerAndSettle({ total: 'x' }, { recipients: [ANN] })).toMatchObject([
      { user: ANN, status: 'dead', reason: expect.stringContaining('the condition of the rule failed') },
    ]);
  });
});

describe('a notification to users that the context names', () => {
  const toContext = (context: string) => rule({ to: { context } });

  it.each<[string, string, object]>([
    ['a username', 'customer.email', { customer: { email: 'Ann@acme.test' } }],
    [
      'a list of usernames',
      'watchers[].email',
      { watchers: [{ email: ANN }, { email: ANN }, { email: 'x@acme.test' }] },
    ],
  ])('reaches %s', async (_, expression, context) => {
    const tenant = await tenantWith({ notifications: [toContext(expression)] });
    expect(usersOf(await tenant.triggerAndSettle(context))).toEqual([[ANN, 'sent']]);
  });

  it.each<[string, object]>([
    ['lacks it', {}],
    ['has nobody there', { customer: { email: null } }],
  ])('reaches nobody if the context %s', async (_, context) => {
    const tenant = await tenantWith({ notifications: [toContext('customer.email')] });
    expect(await tenant.triggerAndSettle(context)).toEqual([]);
  });

  it('fails with a reason if the context has something else there, and reaches nobody', async () => {
    const tenant = await tenantWith({ notifications: [toContext('customer')] });
    const occurrence = await tenant.trigger({ customer: { email: ANN } });
    expect(await tenant.settled(occurrence)).toEqual([]);
    expect(await tenant.decisions(occurrence)).toMatchObject([
      {
        verdict: 'failed',
        reason: 'the recipients could not be read: customer must be a username or a list of usernames.',
      },
    ]);
  });
});

describe('nobody', () => {
  const occurrenceOf = async (tenant: Tenant, occurrence: string) =>
    (await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/`)).body as { warnings: object[] };

  const warningsOf = async (tenant: Tenant, context: object, options: object) => {
    const occurrence = await tenant.trigger(context, options);
    await tenant.settled(occurrence);
    return (await occurrenceOf(tenant, occurrence)).warnings;
  };

  it('is a warning of the occurrence, which names unknown users', async () => {
    const tenant = await tenantWith({});
    expect(
      await warningsOf(tenant, {}, { recipients: ['x@acme.test', 'Y@acme.test'], limit_to: ['x@acme.test'] }),
    ).toEqual([
      { kind: 'unknown_users', detail: 'Not users: x@acme.test, Y@acme.test, x@acme.test.' },
      { kind: 'nobody', detail: 'The trigger reached nobody: the notifications that apply had no recipients.' },
    ]);
    expect(await warningsOf(tenant, {}, { recipients: [ANN] })).toEqual([]);
  });

  it('is a warning with its reason', async () => {
    const tenant = await tenantWith({
      users: [{ email: ANN, locked: true }],
      notifications: [toRecipients({ when: 'total > `1`' })],
    });
    expect(await warningsOf(tenant, { total: 2 }, { recipients: [ANN] })).toEqual([
      { kind: 'nobody', detail: 'The trigger reached nobody: all deliveries were skipped (locked 1).' },
    ]);
    expect(await warningsOf(tenant, { total: 0 }, { recipients: [ANN] })).toEqual([
      { kind: 'nobody', detail: 'The trigger reached nobody: no notification applied.' },
    ]);
  });

  it('is in the log of the worker', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const tenant = await tenantWith({});
    const occurrence = await tenant.trigger({}, { recipients: ['x@acme.test'] });
    await tenant.settled(occurrence);
    const lines = await until(
      5000,
      async () => warn.mock.calls.length >= 2 && warn.mock.calls.map(([line]) => line as object),
    );
    expect(lines).toEqual([
      {
        message: 'a trigger names unknown users',
        organization: tenant.org,
        event: 'order-paid',
        occurrence,
        unknown: 1,
      },
      { message: expect.stringContaining('reaches nobody'), organization: tenant.org, event: 'order-paid', occurrence },
    ]);
  });
});

it('limit_to with rooms: true posts to rooms too', async () => {
  const tenant = await tenantWith({
    notifications: [
      rule({ distribution_list: 'Staff' }),
      rule({ name: 'Room', templates: [{ channel: 'hook', text: 'Paid', per: 'room' }] }),
    ],
  });
  expect(usersOf(await tenant.triggerAndSettle({}, { limit_to: [BOB] }))).toEqual([[BOB, 'sent']]);
  expect(usersOf(await tenant.triggerAndSettle({}, { limit_to: [BOB], rooms: true }))).toEqual([
    [null, 'sent'],
    [BOB, 'sent'],
  ]);
});
