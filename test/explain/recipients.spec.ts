import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const TEMPLATES = [{ channel: 'inbox', text: 'Hi' }];

const tenantWith = (name: string, to: 'recipients' | { context: string }, when?: string) =>
  Tenant.create(app, {
    channels: [inbox('inbox')],
    users: [{ email: ANN }, { email: BOB }],
    notifications: [{ name, to, when, templates: TEMPLATES }],
  });

async function explain(tenant: Tenant, occurrence: string, user: string) {
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${user}`);
  return body as object;
}

it('explains who was named by the trigger, and who was not', async () => {
  const tenant = await tenantWith('Thank', 'recipients');
  const occurrence = await tenant.trigger({}, { recipients: [ANN] });
  await tenant.settled(occurrence);
  expect(await explain(tenant, occurrence, ANN)).toMatchObject({ outcome: 'sent' });
  expect(await explain(tenant, occurrence, BOB)).toMatchObject({
    outcome: 'not_sent',
    gate: 'not_meant',
    sentence: `${BOB} was not sent "Thank" over inbox, because the user is not among the recipients of the trigger.`,
    rules: [{ channels: [{ evidence: { to: 'recipients', recipients: [ANN], people: 1 } }] }],
  });
});

it('explains before the occurrence is expanded', async () => {
  const tenant = await tenantWith('Thank', 'recipients');
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const occurrence = await tenant.trigger({}, { recipients: [ANN], send_at: later });
  expect(await explain(tenant, occurrence, ANN)).toMatchObject({ outcome: 'waiting' });
  expect(await explain(tenant, occurrence, BOB)).toMatchObject({ gate: 'not_meant' });
});

it('explains that a user was created after the trigger that named them', async () => {
  const tenant = await tenantWith('Thank', 'recipients');
  const occurrence = await tenant.trigger({}, { recipients: ['new@acme.test'] });
  await tenant.settled(occurrence);
  await tenant.apply({ users: [{ email: 'new@acme.test' }] });
  expect(await explain(tenant, occurrence, 'new@acme.test')).toMatchObject({ gate: 'came_later' });
});

it('explains that the context does not name the user', async () => {
  const tenant = await tenantWith('Thank', { context: 'customer.email' });
  const occurrence = await tenant.trigger({ customer: { email: ANN } });
  await tenant.settled(occurrence);
  expect(await explain(tenant, occurrence, ANN)).toMatchObject({ outcome: 'sent' });
  expect(await explain(tenant, occurrence, BOB)).toMatchObject({
    sentence: `${BOB} was not sent "Thank" over inbox, because "customer.email" of the context does not name the user.`,
  });
});

it('lists what a false condition withheld from a user that the trigger named', async () => {
  const tenant = await tenantWith('Thank', 'recipients', 'total > `100`');
  await tenant.triggerAndSettle({ total: 1 }, { recipients: [ANN] });
  const withheld = async (user: string) =>
    (await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${user}/withheld/`)).body as object;
  expect(await withheld(ANN)).toMatchObject([{ notifications: ['Thank'] }]);
  expect(await withheld(BOB)).toEqual([]);
});
