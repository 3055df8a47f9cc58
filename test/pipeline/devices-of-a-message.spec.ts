import { beforeEach, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import type { TestApp } from '../support/app/app.js';
import { Statements } from '../support/app/statements.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink, type HttpReply } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, travelToNextAttempt } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

let app: TestApp;
let server: HttpSink;
let tenant: Tenant;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (server = started),
);

const PUSH = () => `
request:
  url: ${server.url('/push')}
  json: { to: '{{ message.to }}', text: '{{ message.text }}' }
address: fcm
outcomes:
  - { when: 'status == \`200\`', then: sent }
  - { when: 'status == \`410\`', then: rejected, fault: device, gone_at: body.gone_at }
  - { when: 'status == \`404\`', then: rejected, fault: device }
  - { when: 'status == \`400\`', then: rejected, fault: message, sets_aside: true }
  - { when: 'status == \`413\`', then: rejected, fault: message }
`;

beforeEach(async () => {
  await app.empty();
  answers = {};
  server.reply = ({ body }) => answers[(JSON.parse(body) as { to: string }).to] ?? { status: 200 };
  server.requests.length = 0;
  tenant = await Tenant.create(app, {
    channels: [
      {
        ...{ slug: 'push', name: 'Push', type: 'http', config: { description: PUSH() }, fallback: 'sms' },
      },
      { slug: 'sms', name: 'SMS', type: 'inbox' },
    ],
    users: [{ email: ANN }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'push', text: 'Hi {{ user.email }}' }] },
    ],
  });
});

/** What the provider answers about a token; 200 if it is not listed. */
let answers: Record<string, HttpReply | Promise<HttpReply>>;

async function register(user: string, device: string) {
  const path = `/api/o/${tenant.org}/u/${user}/devices/com.acme.shop/${device}/`;
  const body = { platform: 'android', name: `the ${device}`, fcm: { token: `token-of-${device}` } };
  expect((await app.as(tenant.key).put(path).send(body)).status).toBe(200);
}

const devicesOf = async (user: string) => {
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${user}/devices/`);
  return (body as { device: string; problem: string | null }[]).map(({ device, problem }) => [device, problem]);
};

const tell = (user: string, options: object = {}) => tenant.trigger({}, { limit_to: [user], ...options });
const sentTo = () => server.requests.map(({ body }) => (JSON.parse(body) as { to: string }).to);

interface Detail {
  status: string;
  attempts: { outcome: string; answer: string }[];
  devices: { device: string; name: string; outcome: string; answer: string; at: string }[] | null;
}

async function detailsOf(occurrence: string): Promise<Detail> {
  const [delivery] = await tenant.deliveries(occurrence);
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/deliveries/${delivery!.id}/`;
  return (await app.as(tenant.key).get(path)).body as Detail;
}

/** The deliveries of an occurrence that may be canceled. */
const ended = (occurrence: string) =>
  until(15_000, async () => {
    const rows = await tenant.deliveries(occurrence);
    return rows.every(({ status }) => status !== 'pending') && rows;
  });

const outcomes = ({ devices }: Detail) =>
  Object.fromEntries(devices!.map(({ device, outcome }) => [device, outcome] as const));

it('one message goes to all phones of its user, and one that is gone is removed', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  answers['token-of-phone-1'] = { status: 404, body: 'unregistered' };
  const occurrence = await tell(ANN);
  expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, status: 'sent', attempts: 1 }]);
  expect(sentTo().sort()).toEqual(['token-of-phone-1', 'token-of-phone-2']);
  expect(await devicesOf(ANN)).toEqual([['phone-2', null]]);
  const details = await detailsOf(occurrence);
  expect(outcomes(details)).toEqual({ 'phone-1': 'gone', 'phone-2': 'sent' });
  expect(details.attempts).toMatchObject([{ outcome: 'sent', answer: '1 of 2 devices took it; 404 unregistered' }]);
  const { body: audit } = await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?noun=device`);
  expect((audit as object[]).at(-1)).toMatchObject({ verb: 'delete', actor: 'answer of a provider' });
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${ANN}`);
  expect(JSON.stringify(body)).toContain('"outcome":"gone"');
});

it('only the phone that failed for now gets the message again', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  answers['token-of-phone-1'] = { status: 503, body: 'busy' };
  const occurrence = await tell(ANN);
  expect(await tenant.tried(occurrence, 1)).toMatchObject([{ status: 'pending' }]);
  expect(outcomes(await detailsOf(occurrence))).toEqual({ 'phone-1': 'retry', 'phone-2': 'sent' });
  // Not to a phone that came later, either.
  await register(ANN, 'phone-3');
  answers = {};
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 2 }]);
  expect(sentTo().sort()).toEqual(['token-of-phone-1', 'token-of-phone-1', 'token-of-phone-2']);
  expect(outcomes(await detailsOf(occurrence))).toEqual({ 'phone-1': 'sent', 'phone-2': 'sent' });
});

it('a message that no phone took is dead, and its fallback sends it', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  answers['token-of-phone-1'] = { status: 404, body: 'unregistered' };
  answers['token-of-phone-2'] = { status: 400, body: 'malformed' };
  const occurrence = await tell(ANN);
  const settled = await tenant.settled(occurrence);
  expect(settled.map(({ channel, status }) => [channel, status])).toEqual([
    ['push', 'dead'],
    ['sms', 'sent'],
  ]);
  expect(await devicesOf(ANN)).toEqual([['phone-2', '400 malformed']]);
  expect((await tenant.settled(await tell(ANN)))[0]).toMatchObject({
    status: 'dead',
    reason: 'no device of the user takes messages: 400 malformed',
  });
  expect(sentTo()).toHaveLength(2);
  await register(ANN, 'phone-2');
  answers = {};
  expect(await devicesOf(ANN)).toEqual([['phone-2', null]]);
  expect(await tenant.settled(await tell(ANN))).toMatchObject([{ status: 'sent' }]);
});

it('a message that one phone took is sent, whatever ends the attempts for the other', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  answers['token-of-phone-1'] = { status: 503 };
  const canceled = await tell(ANN);
  const expired = await tell(ANN, { expires_at: '2100-01-01T00:00:00Z' });
  const moved = await tell(ANN);
  const exhausted = await tell(ANN);
  for (const each of [canceled, expired, moved, exhausted]) await tenant.tried(each, 1);
  await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).expect(200);
  await app.pool.query(
    `update occurrences set options = options || '{"expires_at": "2020-01-01T00:00:00Z"}' where id = $1`,
    [expired],
  );
  await app.pool.query('update deliveries set attempts = 7 where occurrence_id = $1', [exhausted]);
  await register(BOB, 'phone-1');
  const before = server.requests.length;
  await travelToNextAttempt(app);
  for (const each of [canceled, expired, moved, exhausted])
    expect(await ended(each)).toMatchObject([{ channel: 'push', status: 'sent', gate: null, reason: null }]);
  // It belongs to somebody else now.
  expect(server.requests.length).toBe(before);
  expect(outcomes(await detailsOf(moved))).toEqual({ 'phone-1': 'given_up', 'phone-2': 'sent' });
});

it('a message is given up for one phone after its last attempt', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  answers['token-of-phone-1'] = { status: 503, body: 'busy' };
  const occurrence = await tell(ANN);
  await tenant.tried(occurrence, 1);
  await app.pool.query('update deliveries set attempts = 7 where occurrence_id = $1', [occurrence]);
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 8 }]);
  expect(outcomes(await detailsOf(occurrence))).toEqual({ 'phone-1': 'given_up', 'phone-2': 'sent' });
});

it('a phone that was registered after its provider lost it stays', async () => {
  await register(ANN, 'phone-1');
  answers['token-of-phone-1'] = { status: 410, body: JSON.stringify({ gone_at: 1_500_000_000_000 }) };
  expect((await tenant.settled(await tell(ANN)))[0]).toMatchObject({ status: 'dead' });
  expect(await devicesOf(ANN)).toEqual([['phone-1', null]]);
  answers['token-of-phone-1'] = { status: 410, body: JSON.stringify({ gone_at: 4_000_000_000_000 }) };
  await tenant.settled(await tell(ANN));
  expect(await devicesOf(ANN)).toEqual([]);
});

it('a refusal of the message says nothing about its devices', async () => {
  await register(ANN, 'phone-1');
  answers['token-of-phone-1'] = { status: 413 };
  expect((await tenant.settled(await tell(ANN)))[0]).toMatchObject({ status: 'dead' });
  expect(await devicesOf(ANN)).toEqual([['phone-1', null]]);
});

it('what a phone took is written while another one is slow', async () => {
  await register(ANN, 'phone-1');
  await register(ANN, 'phone-2');
  let answer!: (reply: HttpReply) => void;
  answers['token-of-phone-1'] = new Promise((resolve) => (answer = resolve));
  const occurrence = await tell(ANN);
  const noted = await until(10_000, async () => {
    const { rows } = await app.pool.query<{ devices: { device: string; outcome: string }[]; attempts: number }>(
      'select devices, attempts from deliveries where occurrence_id = $1 and devices is not null',
      [occurrence],
    );
    return rows[0];
  });
  expect(noted).toMatchObject({ attempts: 0, devices: [{ device: 'phone-2', outcome: 'sent' }] });
  answer({ status: 200 });
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  expect(outcomes(await detailsOf(occurrence))).toEqual({ 'phone-1': 'sent', 'phone-2': 'sent' });
});

it('an address that no device has costs no more statements than before', async () => {
  const path = `/api/o/${tenant.org}/u/${BOB}/address/`;
  await app.as(tenant.key).post(path).send({ name: 'fcm', value: 'token-of-bob' }).expect(200);
  await register(ANN, 'phone-1');
  const statements = new Statements(app.app.get(Database));
  const plain = await tell(BOB);
  expect(await tenant.settled(plain)).toMatchObject([{ user: BOB, status: 'sent' }]);
  await statements.settled();
  expect(statements.names).toContain('write-outcomes');
  expect(statements.names).not.toContain('load-devices');
  expect((await detailsOf(plain)).devices).toBeNull();
  statements.forget();
  await tenant.settled(await tell(ANN));
  expect(statements.names.filter((name) => name === 'load-devices')).toHaveLength(1);
});
