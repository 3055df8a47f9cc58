import { expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { Alerts } from '../../src/engine/alert/alerts.js';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

let app: TestApp;
let first: SmtpSink;
let second: SmtpSink;
let room: HttpSink;
useApp({ ROLE: 'all', PUBLIC_URL: 'https://carillon.test' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (sink) => (first = sink),
);
useSink(
  () => SmtpSink.start(),
  (sink) => (second = sink),
);
useSink(
  () => HttpSink.start(),
  (sink) => (room = sink),
);

const tenantWith = (given: Given = {}) =>
  Tenant.create(app, {
    channels: [mail('mail', first.port), mail('spare', second.port), webhook('team', room.url())],
    users: [
      { email: ANN, locale: 'de-AT' },
      { email: BOB, locked: true },
    ],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi' }] }],
    ...given,
  });

const settings = ({ org, key }: Tenant, alerts: object | null) =>
  app.as(key).patch(`/api/o/${org}/settings/`).send({ alerts });

/** What two processes do, more than once: the second round knows nothing of the first but what is stored. */
async function look(): Promise<void> {
  const alerts = app.app.get(Alerts);
  await Promise.all([alerts.round(), alerts.round()]);
  await alerts.round();
}

async function exported({ org }: Tenant): Promise<string> {
  let text = '';
  for await (const part of app.app.get(ExportService).organization(org, { people: true })) text += part;
  return text;
}

const subjects = async (sink: SmtpSink) =>
  (await Promise.all(sink.mails.map(({ raw }) => PostalMime.parse(raw)))).map(({ subject }) => subject);
const posts = () => room.requests.map(({ body }) => (JSON.parse(body) as { data: { subject: string } }).data.subject);

/** As if the channels of a tenant had failed for so long. */
const age = ({ org }: Tenant, time: string) =>
  app.pool.query(
    `update channel_states s set failing_since = now() - $2::interval from channels c join organizations o on o.id = c.organization_id
     where s.channel_id = c.id and s.failures > 0 and o.slug = $1`,
    [org, time],
  );

const works = ({ org }: Tenant) =>
  until(15_000, async () => {
    const failing = `select from channel_states s join channels c on c.id = s.channel_id join organizations o on o.id = c.organization_id
                     where s.failures > 0 and o.slug = $1`;
    return (await app.pool.query(failing, [org])).rowCount === 0;
  });

it('tells of a channel that fails over another one, once, and when it works again', async () => {
  const tenant = await tenantWith();
  const silent = await tenantWith();
  expect(
    (await settings(tenant, { users: [ANN.toUpperCase(), BOB, 'nobody@acme.test'], channels: ['team'] })).status,
  ).toBe(200);
  first.reply.data = () => ({ code: 451, text: 'closed for today' });
  const occurrence = await tenant.trigger();
  await tenant.tried(occurrence, 1);
  await silent.tried(await silent.trigger(), 1);
  await look();
  // One failure may be the last.
  expect([await subjects(second), posts()]).toEqual([[], []]);
  await age(tenant, '6 minutes');
  await age(silent, '6 minutes');
  await look();
  const name = `The ${tenant.org}`;
  expect(second.mails.map(({ envelope }) => envelope.to)).toEqual([[ANN]]);
  expect(await subjects(second)).toEqual([`${name}: Kanal mail ist gestört`]);
  const { text } = await PostalMime.parse(second.mails[0]!.raw);
  expect(text).toContain('1 Nachrichten warten');
  expect(text).toContain('closed for today');
  expect(text).toContain(`https://carillon.test/console/o/${tenant.org}`);
  expect(posts()).toEqual([`${name}: Channel mail fails`]);
  expect(first.mails).toEqual([]);
  first.reply = {};
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }]);
  await works(tenant);
  await look();
  expect(
    [...(await subjects(first)), ...(await subjects(second))].filter((subject) => subject?.startsWith(name)),
  ).toEqual([`${name}: Kanal mail geht wieder`, `${name}: Kanal mail ist gestört`]);
  expect(posts()).toEqual([`${name}: Channel mail fails`, `${name}: Channel mail works again`]);
});

it('waits until a channel works if the only one fails, and says nothing of what is over by then', async () => {
  const tenant = await tenantWith({ channels: [mail('mail', first.port)] });
  await settings(tenant, { users: [ANN] });
  first.reply.data = () => ({ code: 451, text: 'closed' });
  const occurrence = await tenant.trigger();
  await tenant.tried(occurrence, 1);
  await age(tenant, '6 minutes');
  await look();
  first.reply = {};
  await travelToNextAttempt(app);
  await tenant.settled(occurrence);
  await app.pool.query('update incidents set claimed_until = null');
  await works(tenant);
  await look();
  expect((await subjects(first)).filter((subject) => subject?.startsWith('The '))).toEqual([]);
});

it('tells of a held occurrence and of a backlog, and of no more in an hour than it may', async () => {
  const tenant = await tenantWith({ maxRecipients: 1, lists: [{ name: 'Staff', members: [ANN, 'cyd@acme.test'] }] });
  const other = await tenantWith();
  await settings(tenant, { channels: ['team'], per_hour: 2 });
  await settings(other, { channels: ['team'], waiting_minutes: 5 });
  const held = `select from occurrences where status = 'held'`;
  for (let count = 1; count <= 3; count++) {
    await tenant.trigger();
    await until(15_000, async () => (await app.pool.query(held)).rowCount === count);
  }
  first.reply.data = () => ({ code: 451, text: 'closed' });
  await other.tried(await other.trigger(), 1);
  await app.pool.query(`update deliveries set pending_since = now() - interval '6 minutes' where status = 'pending'`);
  await look();
  const waits = `The ${tenant.org}: shop/web/order-paid waits for approval`;
  expect(posts().toSorted()).toEqual([waits, waits, `The ${other.org}: Messages wait too long`].toSorted());
  // An hour later, the third is told.
  await app.pool.query(`update incidents set told_at = told_at - interval '61 minutes'`);
  first.reply = {};
  await travelToNextAttempt(app);
  await until(
    15_000,
    async () => (await app.pool.query(`select from deliveries where status = 'pending'`)).rowCount === 0,
  );
  await look();
  expect(posts().slice(3).toSorted()).toEqual([waits, `The ${other.org}: Messages are sent in time again`].toSorted());
});

it('is a setting of the organization, over HTTP and in a file, and not for a key of a project', async () => {
  const tenant = await tenantWith();
  const path = `/api/o/${tenant.org}/settings/`;
  const stored = { users: [ANN], channels: ['team'], waiting_minutes: 30, per_hour: 10 };
  expect((await settings(tenant, { users: [ANN, ANN], channels: ['team'], waiting_minutes: 30 })).body).toMatchObject({
    alerts: stored,
  });
  expect(await exported(tenant)).toContain('waiting_minutes: 30');
  const projectKey = await app.key({ org: tenant.org, project: 'shop' });
  expect((await app.as(projectKey).patch(path).send({ alerts: null })).status).toBe(403);
  const { status, body } = await settings(tenant, {
    users: 'ann',
    per_hour: 0,
    waiting_minutes: 1.5,
    rooms: [],
    channels: ['a/b/c'],
  });
  expect([status, Object.keys((body as { errors: object }).errors).toSorted()]).toEqual([
    400,
    ['alerts', 'alerts.channels', 'alerts.per_hour', 'alerts.rooms', 'alerts.users', 'alerts.waiting_minutes'],
  ]);
  expect((await settings(tenant, null)).body).toMatchObject({ alerts: null });
});
