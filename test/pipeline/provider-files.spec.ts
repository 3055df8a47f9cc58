import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
let server: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (server = started),
);

const descriptionFor = (url: string) => `
request:
  url: ${url}
  json: { title: '{{ message.subject }}', order: '{{ message.context.order }}', to: '{{ message.to }}' }
address: alarm
auth: { bearer: '{{ settings.secret }}' }
outcomes:
  - { when: 'status == \`202\`', then: sent, provider_id: body.id }
  - { when: "body.error == 'gone'", then: rejected, fault: recipient }
`;

const ann = {
  email: 'ann@acme.test',
  first_name: 'Ann',
  last_name: 'B',
  addresses: [{ name: 'alarm', value: 'pager-7' }],
};

const tenantWith = (description: string) =>
  Tenant.create(app, {
    channels: [{ slug: 'alarm', name: 'Alarm', type: 'http', config: { description, secret: 'the-secret-key' } }],
    users: [ann],
    lists: [{ name: 'Staff', members: [ann.email] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'alarm', subject: 'Paid', text: 'x' }] },
    ],
  });

it('a channel of the type http sends as its description says', async () => {
  server.reply = () => ({ status: 202, body: '{"id":"a-1","echo":"the-secret-key"}' });
  const tenant = await tenantWith(descriptionFor(server.url('/raise')));
  const [delivery] = await tenant.triggerAndSettle({ order: 17 });
  expect(delivery).toMatchObject({ status: 'sent' });
  const [{ path, headers, body }] = server.requests as [(typeof server.requests)[0]];
  expect(path).toBe('/raise');
  expect(headers.authorization).toBe('Bearer the-secret-key');
  expect(JSON.parse(body)).toEqual({ title: 'Paid', order: 17, to: 'pager-7' });
  const { rows } = await app.pool.query(`select provider_id from attempts where provider_id = 'a-1'`);
  expect(rows).toHaveLength(1);
});

it('a refusal of its recipient suppresses the address, and shows no secret', async () => {
  server.reply = () => ({ status: 400, body: '{"error":"gone","echo":"the-secret-key"}' });
  const tenant = await tenantWith(descriptionFor(server.url('/raise')));
  const occurrence = await tenant.trigger({ order: 17 });
  await tenant.settled(occurrence);
  expect(await tenant.deliveries(occurrence)).toMatchObject([{ status: 'dead' }]);
  const [attempt] = await tenant.attempts(occurrence);
  expect(JSON.stringify(attempt)).toContain('***');
  expect(JSON.stringify(attempt)).not.toContain('the-secret-key');
});

it('a description with a mistake is refused with its line', async () => {
  const tenant = await tenantWith(descriptionFor(server.url()));
  const description = descriptionFor(server.url()).replace('message.subject', 'message.title');
  const answer = await app
    .as(tenant.key)
    .patch(`/api/o/${tenant.org}/c/alarm/`)
    .send({ config: { description, secret: 'the-secret-key' } });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('line 4: request.json.title is not valid: there is no message.title');
});

it('a description that changes does not take the stored secret along', async () => {
  const tenant = await tenantWith(descriptionFor(server.url()));
  const path = `/api/o/${tenant.org}/c/alarm/`;
  const stored = await app.as(tenant.key).get(path);
  const { config } = stored.body as { config: Record<string, unknown> };
  const changed = { ...config, description: descriptionFor('https://evil.test/steal') };
  const answer = await app.as(tenant.key).patch(path).send({ config: changed });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('config.secret');
});

it('a description cannot have a pattern for addresses, which could take for ever', async () => {
  const tenant = await tenantWith(descriptionFor(server.url()));
  const slow = 'address: { kind: alarm, pattern: "^(a+)+$", format: "the letter a" }';
  const description = descriptionFor(server.url()).replace('address: alarm', slow);
  const channel = { slug: 'slow', name: 'Slow', type: 'http', config: { description, secret: 'the-secret-key' } };
  const created = await app.as(tenant.key).post(`/api/o/${tenant.org}/c/`).send(channel);
  const changed = await app.as(tenant.key).patch(`/api/o/${tenant.org}/c/alarm/`).send({ config: channel.config });
  for (const { status, body } of [created, changed]) {
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('line 5: address.pattern can only be used in provider files');
    expect(body).toMatchObject({ errors: { 'config.description': [expect.anything()] } });
  }
});
