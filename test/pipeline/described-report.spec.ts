import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { Tenant, mail } from '../support/world/tenant.js';

let app: TestApp;
let server: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (server = started),
);

const KEY = 'the-key-of-the-reports';

const reports = `
reports:
  verify:
    hmac:
      key: report_key
      header: X-Signature
      signs: '{{ timestamp }}.{{ body }}'
      timestamp: { header: X-Time, max_age: 300 }
  events: 'body.events[].{ event_id: id, kind: state, provider_id: message, reference: ref, address: to, at: at, detail: why }'
  kinds: { done: delivered, gone: bounced, stop: stopped, start: resumed }
  examples:
    - { name: done, body: { events: [{ state: done }] }, expect: [{ kind: delivered }] }
    - { name: gone, body: { events: [{ state: gone }] }, expect: [{ kind: bounced }] }
    - { name: stop, body: { events: [{ state: stop, to: '15005550006' }] }, expect: [{ kind: stopped, address: '+15005550006' }] }
    - { name: start, body: { events: [{ state: start, to: '15005550006' }] }, expect: [{ kind: resumed, address: '+15005550006' }] }
`;

const describe = (url: string) => `
request: { url: ${url}, json: { to: '{{ message.to }}', ref: '{{ message.reference }}' } }
address: phone
auth: { bearer: '{{ settings.secret }}' }
outcomes:
  - { when: 'status == \`200\`', then: sent, provider_id: body.id }
`;

const ann = {
  email: 'ann@acme.test',
  first_name: 'Ann',
  last_name: 'B',
  addresses: [{ name: 'phone', value: '+15005550006' }],
};

const configWith = (more: object = {}) => ({
  description: describe(server.url('/send')) + reports,
  secret: 'the-secret-key',
  report_key: KEY,
  ...more,
});

const tenantWith = (config: Record<string, unknown> = configWith()) =>
  Tenant.create(app, {
    channels: [{ slug: 'sms', name: 'SMS', type: 'http', config }],
    users: [ann],
    lists: [{ name: 'Staff', members: [ann.email] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'sms', text: 'Hi' }] }],
  });

let messages = 0;
async function sent(tenant: Tenant) {
  const id = `m-${++messages}`;
  server.reply = () => ({ status: 200, body: JSON.stringify({ id }) });
  const occurrence = await tenant.trigger();
  const [delivery] = await tenant.settled(occurrence);
  return { delivery: delivery!.id, id, reference: `${occurrence}_${delivery!.id}` };
}

function signed(events: unknown, key = KEY, at = Date.now()): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ events });
  const time = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-signature': signature, 'x-time': time } };
}

const post = ({ org }: Tenant, { body, headers }: ReturnType<typeof signed>) =>
  app.as().post(`/reports/${org}/sms`).set(headers).send(body);

const reportsOf = async (delivery: string) =>
  (
    await app.pool.query<{ state: string }>(
      'select state from delivery_reports where delivery_id = $1 order by state',
      [delivery],
    )
  ).rows.map(({ state }) => state);

const suppressions = async ({ org, key }: Tenant) =>
  ((await app.as(key).get(`/api/o/${org}/suppressions/`)).body as { value: string; cause: string }[]).map(
    ({ value, cause }) => [value, cause],
  );

it('reports of a description reach the delivery, by our reference or by the provider’s id', async () => {
  const tenant = await tenantWith();
  const { delivery, id, reference } = await sent(tenant);
  expect(JSON.parse(server.requests.at(-1)!.body)).toEqual({ to: '+15005550006', ref: reference });
  expect((await post(tenant, signed([{ id: 'e1', state: 'done', message: id }]))).status).toBe(200);
  expect(await reportsOf(delivery)).toEqual(['delivered']);
  expect(
    (await post(tenant, signed([{ id: 'e2', state: 'gone', ref: reference, why: 'no such number' }]))).status,
  ).toBe(200);
  expect(await reportsOf(delivery)).toEqual(['delivered', 'bounced']);
  expect(await suppressions(tenant)).toEqual([['+15005550006', 'hard_bounce']]);
});

it('a report that comes again changes nothing, even after the suppression was lifted', async () => {
  const tenant = await tenantWith();
  const { delivery, id } = await sent(tenant);
  const report = signed([{ id: 'e1', state: 'gone', message: id, to: '15005550006' }]);
  expect((await post(tenant, report)).status).toBe(200);
  await app.pool.query('delete from suppressions');
  for (let n = 0; n < 3; n++) expect((await post(tenant, report)).status).toBe(200);
  expect(await reportsOf(delivery)).toEqual(['bounced']);
  expect(await suppressions(tenant)).toEqual([]);
});

it('a forged, foreign, stale or oversized report changes nothing', async () => {
  const [ours, theirs] = [
    await tenantWith(),
    await tenantWith(configWith({ report_key: 'the-key-of-another-channel' })),
  ];
  const { delivery, id } = await sent(ours);
  const event = { id: 'e1', state: 'gone', message: id };
  const genuine = signed([event]);
  const answers = [
    await post(ours, { ...genuine, headers: { 'content-type': 'application/json' } }),
    await post(ours, { ...genuine, body: genuine.body.replace('gone', 'done') }),
    await post(ours, signed([event], 'the-key-of-another-channel')),
    await post(ours, signed([event], KEY, Date.now() - 400_000)),
    await post(ours, signed([{ ...event, why: 'x'.repeat(70_000) }])),
    await post(ours, signed(Array.from({ length: 1500 }, () => ({})))),
    // Genuine, but about a message that went over another channel.
    await post(theirs, signed([event], 'the-key-of-another-channel')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 413, 413, 200]);
  expect(await reportsOf(delivery)).toEqual([]);
  expect([await suppressions(ours), await suppressions(theirs)]).toEqual([[], []]);
});

it('a kind that the description does not have is taken and counts as nothing', async () => {
  const tenant = await tenantWith();
  const { delivery, id } = await sent(tenant);
  const events = [
    { id: 'e1', state: 'tomorrow', message: id },
    { id: 'e2', state: 'constructor', message: id },
    7,
    null,
  ];
  expect((await post(tenant, signed(events))).status).toBe(200);
  expect((await post(tenant, signed(null))).status).toBe(200);
  expect(await reportsOf(delivery)).toEqual([]);
});

it('the owner of a number can stop, and start again', async () => {
  const tenant = await tenantWith();
  expect((await post(tenant, signed([{ id: 'e1', state: 'stop', to: '15005550006' }]))).status).toBe(200);
  expect(await suppressions(tenant)).toEqual([['+15005550006', 'stop']]);
  expect((await post(tenant, signed([{ id: 'e2', state: 'start', to: '15005550006' }]))).status).toBe(200);
  expect(await suppressions(tenant)).toEqual([]);
});

it('without reports in its description, or without a key, a channel has no reports', async () => {
  const without = await tenantWith({ description: describe(server.url('/send')), secret: 's', report_key: KEY });
  expect((await post(without, signed([]))).status).toBe(404);
  const keyless = await tenantWith(configWith({ report_key: undefined }));
  expect((await post(keyless, signed([]))).status).toBe(404);
});

it('a key that is too short, a wrong description, and a changed one without the key are refused', async () => {
  const tenant = await tenantWith();
  const path = `/api/o/${tenant.org}/c/sms/`;
  const patch = (config: object) => app.as(tenant.key).patch(path).send({ config });
  const short = await patch(configWith({ report_key: 'abc' }));
  expect(short.status).toBe(400);
  expect(JSON.stringify(short.body)).toContain('report_key must have at least 8 characters');
  const wrong = await patch(
    configWith({ description: configWith().description.replace('done: delivered', 'done: arrived') }),
  );
  expect(wrong.status).toBe(400);
  expect(JSON.stringify(wrong.body)).toContain('reports.kinds.done is not one of the allowed values');
  const { config } = (await app.as(tenant.key).get(path)).body as { config: Record<string, unknown> };
  expect(JSON.stringify(config)).not.toContain(KEY);
  const changed = await patch({
    ...config,
    description: configWith().description.replace('max_age: 300', 'max_age: 301'),
  });
  expect(changed.status).toBe(400);
  expect(JSON.stringify(changed.body)).toContain('config.report_key');
});

it('a mail over the SMTP of Mailjet is found by the reference in its header', async () => {
  const smtp = await SmtpSink.start();
  try {
    const tenant = await Tenant.create(app, {
      channels: [mail('sms', smtp.port, { report_service: 'mailjet', report_key: KEY })],
      lists: [{ name: 'Staff', members: [ann.email] }],
      notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'sms', text: 'Hi' }] }],
    });
    const { delivery, reference } = await sent(tenant);
    expect(smtp.mails[0]!.raw.toString()).toContain(`X-MJ-CustomID: ${reference}\r\n`);
    const event = { event: 'bounce', time: 1893484740, CustomID: reference, hard_bounce: true, error: 'user unknown' };
    const authorization = `Basic ${Buffer.from(`carillon:${KEY}`).toString('base64')}`;
    const headers = { 'content-type': 'application/json', authorization };
    expect((await post(tenant, { body: JSON.stringify([event]), headers })).status).toBe(200);
    expect(await reportsOf(delivery)).toEqual(['bounced']);
    expect(await suppressions(tenant)).toEqual([[ann.email, 'hard_bounce']]);
  } finally {
    await smtp.close();
  }
});
