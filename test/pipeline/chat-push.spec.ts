import { expect, it } from '@jest/globals';
import type { ChannelEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

const TOPICS = { ann: 'ann-7Jq2', bob: 'bob-x1Kd', eve: 'no topic' };

/** Three users, each with a topic of ntfy, who hear over one channel. */
const tenantWith = (channel: Pick<ChannelEntry, 'type' | 'config'>) =>
  Tenant.create(app, {
    channels: [{ slug: 'chat', name: 'Chat', ...channel }],
    users: Object.entries(TOPICS).map(([name, topic]) => ({
      email: `${name}@acme.test`,
      addresses: [{ name: 'ntfy', value: topic }],
    })),
    lists: [{ name: 'Staff', members: Object.keys(TOPICS).map((name) => `${name}@acme.test`) }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'chat', per: undefined, subject: 'Order {{ order }}', text: 'Paid by {{ by }}' }],
      },
    ],
  });

const CONTEXT = { order: 'A-17', by: '@all' };

const stateOf = async ({ org }: Tenant) => {
  const { rows } = await app.pool.query<{ isPaused: boolean; suppressed: string[] }>(
    `select exists (select from channel_states s join channels c on c.id = s.channel_id
                    where c.organization_id = o.id and probe_at is not null) "isPaused",
            array(select value from suppressions where organization_id = o.id) suppressed
     from organizations o where slug = $1`,
    [org],
  );
  return rows[0]!;
};

it('posts once to a room of Mattermost, and mentions nobody', async () => {
  const tenant = await tenantWith({
    type: 'mattermost',
    config: { webhook_url: sink.url('/hooks/u2x8rkfugj8zbqby9') },
  });
  const deliveries = await tenant.settled(await tenant.trigger(CONTEXT));
  expect(deliveries.map(({ status }) => status)).toEqual(['sent']);
  expect(sink.requests.map(({ path }) => path)).toEqual(['/hooks/u2x8rkfugj8zbqby9']);
  expect(JSON.parse(sink.requests[0]!.body)).toEqual({ text: '**Order A-17**\nPaid by @\u200ball' });
});

it('keeps the posts to a room of Mattermost whose webhook was deleted', async () => {
  sink.reply = () => ({ status: 400, body: '{"id":"web.incoming_webhook.invalid.app_error","status_code":400}' });
  const tenant = await tenantWith({
    type: 'mattermost',
    config: { webhook_url: sink.url('/hooks/u2x8rkfugj8zbqby9') },
  });
  const occurrence = await tenant.trigger(CONTEXT);
  await until(15_000, async () => (await stateOf(tenant)).isPaused);
  expect((await tenant.deliveries(occurrence)).map(({ status }) => status)).toEqual(['pending']);
});

it('pushes once over ntfy if the channel has a topic', async () => {
  sink.reply = () => ({ status: 200, body: '{"id":"hwQ2YpKdmg","event":"message"}' });
  const tenant = await tenantWith({ type: 'ntfy', config: { url: sink.url(), topic: 'orders' } });
  const deliveries = await tenant.settled(await tenant.trigger(CONTEXT));
  expect(deliveries.map(({ status }) => status)).toEqual(['sent']);
  expect(sink.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { topic: 'orders', title: 'Order A-17', message: 'Paid by @all' },
  ]);
});

it('pushes to the topic of each user over ntfy, and suppresses only the one that cannot be', async () => {
  sink.reply = ({ body }) =>
    body.includes(TOPICS.eve)
      ? { status: 400, body: '{"code":40009,"http":400,"error":"invalid request: topic invalid"}' }
      : { status: 200, body: '{"id":"hwQ2YpKdmg","event":"message"}' };
  const tenant = await tenantWith({ type: 'ntfy', config: { url: sink.url() } });
  const deliveries = await tenant.settled(await tenant.trigger(CONTEXT));
  expect(deliveries.map(({ status }) => status).sort()).toEqual(['dead', 'sent', 'sent']);
  const topics = sink.requests.map(({ body }) => (JSON.parse(body) as { topic: string }).topic);
  expect(topics.sort()).toEqual(Object.values(TOPICS).sort());
  expect(sink.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expect(await stateOf(tenant)).toEqual({ isPaused: false, suppressed: [TOPICS.eve] });
});
