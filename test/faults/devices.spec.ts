import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { Service } from '../support/app/service.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const PATIENCE_MS = 60_000;

let app: TestApp;
let sink: HttpSink;
let workers: Service[] = [];

beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'api' });
  sink = await HttpSink.start();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await sink.close();
  await app.stop();
});

const PUSH = () => `
request:
  url: ${sink.url('/push')}
  json: { to: '{{ message.to }}' }
address: fcm
outcomes:
  - { when: 'status == \`200\`', then: sent }
`;

const startWorker = async () =>
  workers.push(await Service.start({ DATABASE_URL: app.databaseUrl, ROLE: 'worker', OUTBOUND_ALLOW: '127.0.0.0/8' }));

it('a worker that is killed between two phones of a user does not make the first one get the message twice', async () => {
  const tenant = await Tenant.create(app, {
    channels: [{ slug: 'push', name: 'Push', type: 'http', config: { description: PUSH() } }],
    users: [{ email: ANN }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'push', text: 'Hi' }] }],
  });
  for (const device of ['phone-1', 'phone-2']) {
    const path = `/api/o/${tenant.org}/u/${ANN}/devices/com.acme.shop/${device}/`;
    await app
      .as(tenant.key)
      .put(path)
      .send({ platform: 'android', fcm: { token: device } })
      .expect(200);
  }
  sink.reply = ({ body }) => (body.includes('phone-2') ? 'silence' : { status: 200 });
  await startWorker();
  const occurrence = await tenant.trigger();
  await until(PATIENCE_MS, async () => {
    const taken = `select from deliveries where occurrence_id = $1 and devices @> '[{"device": "phone-1", "outcome": "sent"}]'`;
    return (await app.pool.query(taken, [occurrence])).rowCount === 1;
  });
  await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
  sink.reply = () => ({ status: 200 });
  await startWorker();
  expect(await tenant.settled(occurrence, PATIENCE_MS)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  const sentTo = sink.requests.map(({ body }) => (JSON.parse(body) as { to: string }).to);
  expect(sentTo.sort()).toEqual(['phone-1', 'phone-2', 'phone-2']);
});
