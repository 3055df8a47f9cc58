import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { judge } from '../../src/engine/outcome/judge.js';
import { Outcomes } from '../../src/engine/outcome/outcomes.js';
import type { Database } from '../../src/platform/database/database.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { until } from '../support/until.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let sink: SmtpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => SmtpSink.start(),
  (started) => (sink = started),
);

let statuses: HttpSink;
useSink(
  () => HttpSink.start(),
  (started) => (statuses = started),
);

const KEY = 'a-password-for-reports';

const tenantWith = (service: string, key: string) =>
  Tenant.create(app, {
    channels: [mail('mail', sink.port, { report_service: service, report_key: key })],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'mail', text: 'Hi' }] }],
  });

/** Sends one mail, and returns the reference that the service would hand back. */
async function sent(tenant: Tenant) {
  const occurrence = await tenant.trigger();
  const [delivery] = await tenant.settled(occurrence);
  return { occurrence, delivery: delivery!, reference: `${occurrence}_${delivery!.id}` };
}

const rowsOf = async (delivery: string) =>
  (
    await app.pool.query<{ report: string | null; status: string; reports: string[] }>(
      `select report, status, array(select state || coalesce(' by ' || by, '') from delivery_reports where delivery_id = d.id order by at, event) reports
       from deliveries d where id = $1`,
      [delivery],
    )
  ).rows[0]!;

const suppressions = async ({ org, key }: Tenant) =>
  ((await app.as(key).get(`/api/o/${org}/suppressions/`)).body as { value: string; cause: string }[]).map(
    ({ value, cause }) => [value, cause],
  );

interface Sent {
  body: string;
  headers: Record<string, string>;
}

const post = (tenant: Tenant, { body, headers }: Sent, channel = 'mail') =>
  app.as().post(`/reports/${tenant.org}/${channel}`).set(headers).send(body);

const postmark = (event: object, key = KEY): Sent => ({
  body: JSON.stringify(event),
  headers: {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`carillon:${key}`).toString('base64')}`,
  },
});

const AT = '2030-01-01T08:00:00Z';

const delivered = (reference: string) => ({
  RecordType: 'Delivery',
  MessageID: 'pm-1',
  DeliveredAt: AT,
  Details: 'Test',
  Metadata: { delivery: reference },
});

const bounced = (reference: string, Type = 'HardBounce') => ({
  ...{ RecordType: 'Bounce', ID: 42, Type, MessageID: 'pm-1', BouncedAt: AT, Details: 'smtp;550 5.1.1 gone' },
  Metadata: { delivery: reference },
});

describe('a report', () => {
  it('raises a delivery, and a bounce suppresses its address', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    expect(sink.mails[0]!.raw.toString()).toContain(`X-PM-Metadata-delivery: ${reference}\r\n`);
    expect((await post(tenant, postmark(delivered(reference)))).status).toBe(200);
    expect(await rowsOf(delivery.id)).toEqual({ report: 'delivered', status: 'sent', reports: ['delivered'] });
    expect((await post(tenant, postmark(bounced(reference)))).status).toBe(200);
    expect(await rowsOf(delivery.id)).toMatchObject({ report: 'bounced', status: 'sent' });
    expect(await suppressions(tenant)).toEqual([['ann@acme.test', 'hard_bounce']]);
  });

  it('is part of the delivery, of explain and of status webhooks that want it', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const path = `/api/o/${tenant.org}/p/shop/a/web`;
    const hook = { url: statuses.url('/in'), secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
    const put = await app
      .as(tenant.key)
      .put(`${path}/status-webhook/`)
      .send({ ...hook, outcomes: ['delivered', 'bounced'] });
    expect(put.status).toBeLessThan(300);
    const { occurrence, delivery, reference } = await sent(tenant);
    await post(tenant, postmark(delivered(reference)));
    const explain = () =>
      app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=ann@acme.test`);
    expect((await explain()).text).toContain('and the provider reported at 2030-01-01T08:00:00Z that it was delivered');
    await post(tenant, postmark(bounced(reference)));
    expect((await explain()).text).toContain(
      'but the provider reported at 2030-01-01T08:00:00Z that the address does not exist: \\"HardBounce smtp;550 5.1.1 gone\\"',
    );
    const read = await app
      .as(tenant.key)
      .get(`/api/o/${tenant.org}/occurrences/${occurrence}/deliveries/${delivery.id}/`);
    expect(read.body).toMatchObject({
      report: 'bounced',
      reports: [
        { state: 'bounced', at: '2030-01-01T08:00:00.000Z', by: null, detail: 'HardBounce smtp;550 5.1.1 gone' },
        { state: 'delivered', at: '2030-01-01T08:00:00.000Z', by: null, detail: 'Test' },
      ],
    });
    await until(15_000, () => Promise.resolve(statuses.requests.length === 2));
    const told = statuses.requests.map(({ body }) => (JSON.parse(body) as { data: { deliveries: object[] } }).data);
    expect(told.flatMap(({ deliveries }) => deliveries)).toMatchObject([
      { id: Number(delivery.id), outcome: 'delivered', answer: 'Test' },
      { id: Number(delivery.id), outcome: 'bounced', answer: 'HardBounce smtp;550 5.1.1 gone' },
    ]);
  });

  it('that comes again changes nothing, even after the suppression was lifted', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    for (let n = 0; n < 3; n++) {
      await post(tenant, postmark(bounced(reference)));
      await app.pool.query('delete from suppressions');
    }
    expect((await rowsOf(delivery.id)).reports).toEqual(['bounced']);
    await post(tenant, postmark(bounced(reference)));
    expect(await suppressions(tenant)).toEqual([]);
  });

  it('of a complaint has its own cause', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    const complaint = { ...bounced(reference), RecordType: 'SpamComplaint', Type: 'SpamComplaint' };
    await post(tenant, postmark(complaint));
    expect((await rowsOf(delivery.id)).report).toBe('complained');
    expect(await suppressions(tenant)).toEqual([['ann@acme.test', 'complaint']]);
  });

  it('about a delivery of another organization changes nothing', async () => {
    const [ours, theirs] = [await tenantWith('postmark', KEY), await tenantWith('postmark', KEY)];
    const { delivery, reference } = await sent(theirs);
    expect((await post(ours, postmark(bounced(reference)))).status).toBe(200);
    expect(await rowsOf(delivery.id)).toEqual({ report: null, status: 'sent', reports: [] });
    expect([await suppressions(ours), await suppressions(theirs)]).toEqual([[], []]);
  });

  it('that came before its delivery was stored is applied later', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    // As it was while the message was on its way.
    await app.pool.query(`update deliveries set attempts = 0, status = 'pending' where id = $1`, [delivery.id]);
    expect((await post(tenant, postmark(delivered(reference)))).status).toBe(200);
    expect((await rowsOf(delivery.id)).report).toBeNull();
    await app.pool.query(`update deliveries set attempts = 1, status = 'sent' where id = $1`, [delivery.id]);
    await app.pool.query(`update jobs set state = 'ready', run_at = now() where task = 'apply-reports'`);
    await until(15_000, async () => (await rowsOf(delivery.id)).report === 'delivered');
  });

  it('proves that a message whose answer was lost was sent', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    const lost = `update deliveries set status = 'pending', next_attempt_at = now() + interval '1 hour' where id = $1`;
    await app.pool.query(lost, [delivery.id]);
    await post(tenant, postmark(delivered(reference)));
    expect(await rowsOf(delivery.id)).toMatchObject({ report: 'delivered', status: 'sent' });
  });

  it('of an unknown kind is taken and counts as nothing', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    const events = [
      { RecordType: 'SubscriptionChange' },
      { RecordType: 'Bounce', Type: 'Tomorrow' },
      {},
      [],
      'x',
      null,
    ];
    for (const event of events) {
      const body =
        typeof event === 'object' && event !== null ? { ...event, Metadata: { delivery: reference } } : event;
      expect((await post(tenant, postmark(body as object))).status).toBe(200);
    }
    expect((await rowsOf(delivery.id)).reports).toEqual([]);
  });

  it('that is too large, for no channel, or not signed is refused', async () => {
    const tenant = await tenantWith('postmark', KEY);
    const { delivery, reference } = await sent(tenant);
    const event = postmark(delivered(reference));
    const large = postmark({ ...delivered(reference), Details: 'x'.repeat(1024 * 1024) });
    const answers = [
      await post(tenant, large),
      await post(tenant, large, 'nowhere'), // nothing of it is read
      await post(tenant, event, 'nowhere'),
      await post(tenant, postmark(delivered(reference), 'a-wrong-password')),
      await post(tenant, { ...event, headers: { 'content-type': 'application/json' } }),
      await post(tenant, { ...event, body: '{' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([413, 404, 404, 404, 404, 404]);
    expect((await rowsOf(delivery.id)).reports).toEqual([]);
  });
});

const shuffled = <Item>(items: Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

it('a request that cannot be stored fails neither itself nor those of other organizations', async () => {
  const [evil, good] = [await tenantWith('postmark', KEY), await tenantWith('postmark', KEY)];
  const [bad, fine] = [await sent(evil), await sent(good)];
  const nasty = { ...delivered(bad.reference), ID: 'a\u0000b\ud800', DeliveredAt: '+055840-01-01T00:00:00Z' };
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => post(evil, postmark(nasty))),
    ...Array.from({ length: 5 }, () => post(good, postmark(delivered(fine.reference)))),
    post(evil, postmark({ ...bounced(bad.reference), Type: 'constructor' })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await rowsOf(fine.delivery.id)).report).toBe('delivered');
  expect((await rowsOf(bad.delivery.id)).report).toBe('delivered');
});

it('one delivery keeps about a hundred reports', async () => {
  const tenant = await tenantWith('postmark', KEY);
  const { delivery, reference } = await sent(tenant);
  for (let n = 0; n < 110; n++) await post(tenant, postmark({ ...delivered(reference), ID: `event-${n}` }));
  expect((await rowsOf(delivery.id)).reports).toHaveLength(100);
});

it('a report that comes before the outcome of another attempt is stored does not lose that outcome', async () => {
  const tenant = await tenantWith('postmark', KEY);
  sink.reply.data = () => ({ code: 451, text: 'try again later' });
  const occurrence = await tenant.trigger();
  const attempts = async () => {
    const sql =
      'select d.id, a.outcome from deliveries d join attempts a on a.delivery_id = d.id where occurrence_id = $1';
    return (await app.pool.query<{ id: string; outcome: string }>(`${sql} order by number`, [occurrence])).rows;
  };
  const [{ id } = { id: '' }] = await until(10_000, async () => ((await attempts()).length === 1 ? attempts() : null));
  sink.reply.data = undefined;
  expect((await post(tenant, postmark(delivered(`${occurrence}_${id}`)))).status).toBe(200);
  const at = new Date();
  const under = { id, attempts: 1, attemptsBefore: 0, pendingSince: at, at, durationMs: 1, patienceMs: null };
  const query = (_: string, text: string, values: unknown[]) => app.pool.query(text, values);
  await new Outcomes({ query } as unknown as Database, []).add(judge(under, { kind: 'sent', answer: 'Ok' }, at, 0));
  expect((await attempts()).map(({ outcome }) => outcome)).toEqual(['retry', 'sent']);
  expect(await rowsOf(id)).toMatchObject({ report: 'delivered', status: 'sent' });
});

const LADDER = ['delayed', 'soft_bounced', 'delivered', 'seen', 'bounced', 'complained'];

it('in any order, repeated or not, reports lead to the highest state', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const tenant = await tenantWith('sendgrid', key);
  const events: Record<string, object> = {
    delayed: { event: 'deferred' },
    soft_bounced: { event: 'bounce', type: 'blocked', reason: '550 5.7.1 blocked' },
    delivered: { event: 'delivered' },
    seen: { event: 'open' },
    bounced: { event: 'bounce', type: 'bounce', reason: '550 5.1.1 no such user' },
    complained: { event: 'spamreport' },
  };
  for (let round = 0; round < 8; round++) {
    await app.pool.query('delete from suppressions');
    const { delivery, reference } = await sent(tenant);
    const some = LADDER.filter(() => Math.random() < 0.6);
    const all = shuffled([...some, ...some.filter(() => Math.random() < 0.5)]);
    for (const [n, state] of all.entries()) {
      const event = { ...events[state], sg_event_id: state, timestamp: 1893456000 + n, delivery: reference };
      const body = JSON.stringify([event]);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64');
      const headers = {
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature,
      };
      expect((await post(tenant, { body, headers: { 'content-type': 'application/json', ...headers } })).status).toBe(
        200,
      );
      const seen = all.slice(0, n + 1).map((each) => LADDER.indexOf(each));
      expect((await rowsOf(delivery.id)).report).toBe(LADDER[Math.max(...seen)]);
    }
    expect((await rowsOf(delivery.id)).reports).toHaveLength(some.length);
    expect((await suppressions(tenant)).map(([, cause]) => String(cause)).sort((a, b) => a.localeCompare(b))).toEqual([
      ...(some.includes('complained') ? ['complaint'] : []),
      ...(some.includes('bounced') ? ['hard_bounce'] : []),
    ]);
  }
});

it('a provider that names messages by its own id is understood', async () => {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
  const tenant = await tenantWith('ses', topic);
  sink.reply.data = () => ({ code: 250, text: 'Ok 0102018f-aaaa-bbbb-000000' });
  const { delivery } = await sent(tenant);
  const { rows } = await app.pool.query('select provider_id from attempts where delivery_id = $1', [delivery.id]);
  expect(rows).toEqual([{ provider_id: '0102018f-aaaa-bbbb-000000' }]);
});

it('a mailgun token is good for one event', async () => {
  const key = 'key-0123456789abcdef';
  const tenant = await tenantWith('mailgun', key);
  const { delivery, reference } = await sent(tenant);
  expect(sink.mails.at(-1)!.raw.toString()).toContain(`X-Mailgun-Variables: {"delivery":"${reference}"}`);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const token = randomUUID(); // the process remembers those of other tests
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  const event = (id: string, kind: string) => ({
    body: JSON.stringify({
      signature: { timestamp, token, signature },
      'event-data': { id, event: kind, timestamp: 1893456000.5, 'user-variables': { delivery: reference } },
    }),
    headers: { 'content-type': 'application/json' },
  });
  const answers = [
    await post(tenant, event('e1', 'delivered')),
    await post(tenant, event('e1', 'delivered')),
    await post(tenant, event('e2', 'complained')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect((await rowsOf(delivery.id)).reports).toEqual(['delivered']);
});
