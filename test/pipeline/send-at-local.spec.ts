import { expect, it } from '@jest/globals';
import type { Rule } from '../../src/rules/ruleset/rule.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const CY = 'cy@acme.test';
const HOUR = 3_600_000;

/** What a clock shows in so many hours that shows UTC now. */
const shownIn = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16);
const clockIn = (hours: number) => shownIn(hours).slice(11);

/** Ann's clock is four hours ahead of UTC, Bob's is that of the organization, Cy's is two hours behind. */
async function tenantOf(people: string[], more: Partial<Rule> = {}, toRoom = false): Promise<Tenant> {
  const zones: Record<string, string> = { [ANN]: 'Etc/GMT-4', [CY]: 'Etc/GMT+2' };
  const template = { channel: 'hook', text: '{% if digest %}{{ digest.count }} items{% else %}{{ n }}{% endif %}' };
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), webhook('room', hooks.url())],
    users: people.map((email) => ({ email, ...(zones[email] && { time_zone: zones[email] }) })),
    lists: [{ name: 'Staff', members: people }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [template] },
      ...(toRoom ? [{ name: 'Post', templates: [{ ...template, channel: 'room', per: 'room' as const }] }] : []),
    ],
  });
  await app.pool.query(
    `update rule_versions v set rule = rule || $2 from organizations o where o.id = v.organization_id and o.slug = $1 and v.rule->>'name' = 'Tell'`,
    [tenant.org, more],
  );
  return tenant;
}

interface Row {
  user: string | null;
  status: string;
  waits: string | null;
  hours: number | null;
}

async function rowsOf(occurrence: string): Promise<Row[]> {
  const { rows } = await app.pool.query<Row>(
    `select u.email "user", d.status, d.waits_for waits, round(extract(epoch from d.next_attempt_at - now()) / 3600)::int hours
     from deliveries d left join users u on u.id = d.user_id where d.occurrence_id = $1 order by u.email nulls last`,
    [occurrence],
  );
  return rows;
}

/** When nothing is left to be sent at once. */
const resting = (occurrence: string) =>
  until(10_000, async () => {
    const sql = `select from occurrences where id = $1 and status = 'expanded'`;
    if ((await app.pool.query(sql, [occurrence])).rowCount === 0) return null;
    const rows = await rowsOf(occurrence); // afterwards: these are all
    return rows.length > 0 && rows.every(({ status, waits }) => status !== 'pending' || waits !== null) && rows;
  });

/** Makes an occurrence ask for an earlier time, and its messages look again. */
async function travel(occurrence: string, hours: number): Promise<void> {
  await app.pool.query(`update occurrences set options = options || $2 where id = $1`, [
    occurrence,
    { send_at: { local: shownIn(hours) } },
  ]);
  await app.pool.query(`update deliveries set next_attempt_at = now() - interval '1 second' where status = 'pending'`);
  await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
}

const sentence = async (tenant: Tenant, occurrence: string, user: string) => {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${user}`;
  return (await app.as(tenant.key).get(path)).body as { sentence: string; rules: unknown[] };
};

const texts = () => hooks.requests.map(({ body }) => (JSON.parse(body) as { data: { text: string } }).data.text);

it.each([
  ['a few users', 3],
  ['many users', 150],
])('sends to each of %s at that time on their own clock, at once where it has passed', async (_, count) => {
  const more = Array.from({ length: count - 3 }, (_, n) => `u${n}@acme.test`);
  const tenant = await tenantOf([ANN, BOB, CY, ...more], {}, true);
  await app.pool.query(`update organizations set time_zone = 'Etc/GMT-1' where slug = $1`, [tenant.org]);
  const local = shownIn(3);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local } });
  const rows = await resting(occurrence);
  expect([...rows.slice(0, 3), rows.at(-1)]).toEqual([
    { user: ANN, status: 'sent', waits: null, hours: null },
    { user: BOB, status: 'pending', waits: 'send_at', hours: 2 },
    { user: CY, status: 'pending', waits: 'send_at', hours: 5 },
    { user: null, status: 'pending', waits: 'send_at', hours: 2 },
  ]);
  expect((await sentence(tenant, occurrence, CY)).sentence).toContain(
    `${CY} is waiting for "Tell" over hook: it waits for ${local.replace('T', ' ')} in Etc/GMT+2`,
  );
  await travel(occurrence, 0);
  await until(10_000, async () => (await rowsOf(occurrence))[1]!.status === 'sent');
  expect((await rowsOf(occurrence))[2]).toEqual({ user: CY, status: 'pending', waits: 'send_at', hours: 2 });
  await app.pool.query('delete from jobs');
});

it('waits with its recipients until the time comes for the first zone, and says so', async () => {
  const tenant = await tenantOf([ANN]);
  const local = shownIn(24 * 3);
  const occurrence = await tenant.trigger({}, { send_at: { local } });
  const { rows } = await app.pool.query<{ hours: number }>(
    `select round(extract(epoch from run_at - now()) / 3600)::int hours from jobs where payload->'occurrences' ? $1`,
    [occurrence],
  );
  expect(rows).toEqual([{ hours: 24 * 3 - 14 }]);
  expect((await sentence(tenant, occurrence, ANN)).sentence).toBe(
    `${ANN} is waiting for "Tell" over hook: it waits for ${local.replace('T', ' ')} in Etc/GMT-4.`,
  );
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/`);
  expect(body).toMatchObject({ status: 'pending', send_at: null, send_at_local: local });
  const all = (await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/`)).body as object;
  expect(all).toMatchObject({
    sentence: expect.stringContaining(`${local.replace('T', ' ')} on the clock of each user`),
  });
});

it('waits for the end of quiet hours that the time falls into', async () => {
  const tenant = await tenantOf([BOB]);
  const quiet = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: clockIn(1), to: clockIn(4) }];
  await app.pool.query(`update organizations set quiet_hours = $2 where slug = $1`, [
    tenant.org,
    JSON.stringify(quiet),
  ]);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(2) } });
  expect(await resting(occurrence)).toEqual([{ user: BOB, status: 'pending', waits: 'quiet', hours: 4 }]);
});

it('finds the time again when the zone of the user changes', async () => {
  const tenant = await tenantOf([BOB]);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(3) } });
  expect(await resting(occurrence)).toMatchObject([{ waits: 'send_at', hours: 3 }]);
  const move = (time_zone: string) =>
    app.as(tenant.key).patch(`/api/o/${tenant.org}/u/${BOB}/settings/`).send({ time_zone }).expect(200);
  await move('Etc/GMT+2');
  await until(10_000, async () => (await rowsOf(occurrence))[0]!.hours === 5);
  await move('Etc/GMT-5');
  await until(10_000, async () => (await rowsOf(occurrence))[0]!.status === 'sent');
});

it('gathers a message into its digest when its time has come, not before', async () => {
  const digest = { window: 3600, max_items: 100, first: 'wait' as const };
  const tenant = await tenantOf([ANN, BOB], { digest });
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(2) } });
  const both = await resting(occurrence);
  expect(both.map(({ user, waits }) => [user, waits])).toEqual([
    [ANN, 'digest'],
    [BOB, 'send_at'],
  ]);
  const now = await tenant.trigger({ n: 2 });
  await resting(now);
  await travel(occurrence, 0);
  await until(10_000, async () => (await rowsOf(occurrence))[1]!.waits === 'digest');
  await app.pool.query('update digests set due_at = now()');
  await tenant.settled(occurrence);
  await tenant.settled(now);
  await until(10_000, () => texts().length === 2);
  expect(texts()).toEqual(['2 items', '2 items']);
});

it('keeps the time of a post to a room when the zone of the organization changes, and lets a user wait on', async () => {
  const tenant = await tenantOf([BOB], {}, true);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(3) } });
  await resting(occurrence);
  const settings = `/api/o/${tenant.org}/settings/`;
  await app.as(tenant.key).patch(settings).send({ time_zone: 'Etc/GMT+2' }).expect(200);
  expect((await rowsOf(occurrence)).map(({ hours }) => hours)).toEqual([3, 3]);
  await app.pool.query(`update deliveries set next_attempt_at = now() - interval '1 second' where status = 'pending'`);
  await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
  const sent = { user: null, status: 'sent', waits: null, hours: null };
  const waits = { user: BOB, status: 'pending', waits: 'send_at', hours: 5 };
  await until(10_000, async () => {
    const [user, room] = await rowsOf(occurrence);
    return user!.hours === waits.hours && room!.status === sent.status;
  });
  expect(await rowsOf(occurrence)).toEqual([waits, sent]);
  await app.pool.query('delete from jobs');
});

it('gathers a message at its time although the user has quiet hours then, also after a change of the zone', async () => {
  const tenant = await tenantOf([BOB], { digest: { window: 3600, max_items: 100, first: 'wait' } });
  const quiet = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: clockIn(1), to: clockIn(8) }];
  await app.pool.query(`update organizations set quiet_hours = $2 where slug = $1`, [
    tenant.org,
    JSON.stringify(quiet),
  ]);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(3) } });
  expect(await resting(occurrence)).toEqual([{ user: BOB, status: 'pending', waits: 'send_at', hours: 3 }]);
  const path = `/api/o/${tenant.org}/u/${BOB}/settings/`;
  await app.as(tenant.key).patch(path).send({ time_zone: 'Etc/GMT+2' }).expect(200);
  await until(10_000, async () => (await rowsOf(occurrence))[0]!.hours === 5);
  expect((await rowsOf(occurrence))[0]!.waits).toBe('send_at');
  await travel(occurrence, -2);
  await until(10_000, async () => (await rowsOf(occurrence))[0]!.waits === 'digest');
  await app.pool.query('delete from digests');
});

it('sends the first message of a digest at once, at its time', async () => {
  const tenant = await tenantOf([BOB], { digest: { window: 3600, max_items: 100, first: 'now' } });
  const first = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(2) } });
  const second = await tenant.trigger({ n: 2 }, { send_at: { local: shownIn(2) } });
  await resting(first);
  await resting(second);
  await travel(first, 0);
  await until(10_000, () => texts().length === 1);
  await travel(second, 0);
  await until(10_000, async () => (await rowsOf(second))[0]!.waits === 'digest');
  expect(texts()).toEqual(['1']);
});

it('takes its place within a limit when it is sent, not when it is triggered', async () => {
  const tenant = await tenantOf([BOB], { limit: { count: 1, per: 'week', then: 'drop' } });
  const later = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(2) } });
  await resting(later);
  await tenant.triggerAndSettle({ n: 2 });
  await travel(later, 0);
  expect((await tenant.settled(later)).map(({ gate }) => gate)).toEqual(['capped']);
  expect(texts()).toEqual(['2']);
});

it('is not sent when the occurrence is canceled or expires meanwhile', async () => {
  const tenant = await tenantOf([BOB]);
  const canceled = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(2) } });
  const expired = await tenant.trigger(
    { n: 2 },
    { send_at: { local: shownIn(2) }, expires_at: new Date(Date.now() + HOUR).toISOString() },
  );
  await resting(canceled);
  await resting(expired);
  await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).expect(200);
  await app.pool.query(`update occurrences set options = options || $2 where id = $1`, [
    expired,
    { expires_at: new Date(Date.now() - 1000).toISOString() },
  ]);
  await travel(expired, 0);
  expect((await tenant.settled(canceled, 10_000, 'canceled')).map(({ gate }) => gate)).toEqual(['canceled']);
  expect((await tenant.settled(expired)).map(({ gate }) => gate)).toEqual(['expired']);
  expect(texts()).toEqual([]);
});

it('shows in a simulation, for users, rooms and digests', async () => {
  const simulated = async (tenant: Tenant, local: string) => {
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const { body } = await app
      .as(tenant.key)
      .post(path)
      .send({ context: { n: 1 }, options: { send_at: { local } } });
    return (body as { messages: { user: string; waits_for: string; until: string | null }[] }).messages.map(
      ({ user, waits_for: waits, until: at }) => [user, waits, at && Math.round((Date.parse(at) - Date.now()) / HOUR)],
    );
  };
  const plain = await tenantOf([ANN, BOB], {}, true);
  expect(await simulated(plain, shownIn(3))).toEqual([
    [ANN, null, null],
    [BOB, 'send_at', 3],
    [null, 'send_at', 3],
  ]);
  const gathering = await tenantOf([BOB], { digest: { window: 3600, max_items: 100, first: 'wait' } });
  expect(await simulated(gathering, shownIn(3))).toEqual([[BOB, 'digest', 4]]);
});

it('keeps the full time for attempts after a wait of days', async () => {
  const tenant = await tenantOf([BOB]);
  const occurrence = await tenant.trigger({ n: 1 }, { send_at: { local: shownIn(10) } });
  await resting(occurrence);
  const { rows } = await app.pool.query<{ hours: number }>(
    `select round(extract(epoch from pending_since - now()) / 3600)::int hours from deliveries where occurrence_id = $1`,
    [occurrence],
  );
  expect(rows).toEqual([{ hours: 10 }]);
});

it.each<[object, string[] | null]>([
  [{ local: '2026-12-01' }, ['local must be a time without a zone, such as 2030-01-01T09:00']],
  [{ local: '2026-12-01T09:00Z' }, ['local must be a time without a zone, such as 2030-01-01T09:00']],
  [{ local: '2026-02-30T09:00' }, ['local must be a time without a zone, such as 2030-01-01T09:00']],
  [{}, ['local must be a time without a zone, such as 2030-01-01T09:00']],
  [{ local: shownIn(24), zone: 'UTC' }, ['zone is not a known field. Known: local']],
  [{ local: shownIn(-13) }, ['must not be more than a minute in the past: leave it out to send at once']],
  [{ local: shownIn(24 * 40_000) }, [expect.stringContaining('must be within ') as unknown as string]],
  [{ local: shownIn(-11) }, null],
])('takes send_at %j, or refuses it with %j', async (sendAt, problems) => {
  const tenant = await Tenant.create(app, {});
  const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/trigger/`;
  const { body, status } = await app
    .as(tenant.key)
    .post(path)
    .send({ options: { send_at: sendAt } });
  expect([status, (body as { errors?: object }).errors]).toEqual(
    problems ? [400, { 'options.send_at': problems }] : [201, undefined],
  );
});
