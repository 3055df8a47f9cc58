import { describe, expect, it, jest } from '@jest/globals';
import { LOCK_DUE } from '../../src/engine/digest/close.sql.js';
import type { Rule, WeeklyRange } from '../../src/rules/ruleset/rule.js';
import { DAYS } from '../../src/platform/field/weekly-range.js';
import { Database } from '../../src/platform/database/database.js';
import { Statements } from '../support/app/statements.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { giveCategory } from '../support/world/category.js';
import { Tenant, inbox, travelToNextAttempt, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const TEXT = `{% if digest %}{{ digest.count }}: {% for item in digest.items %}{{ item.n }} {% endfor %}+{{ digest.more }}{% else %}{{ n }}{% endif %}`;

/** A tenant who tells people, with more for the rule than a file says. */
async function tenantOf(people: string[], more: Pick<Rule, 'window' | 'digest' | 'limit'>): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    users: people.map((email) => ({ email })),
    lists: [{ name: 'Staff', members: people }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: TEXT }] }],
  });
  const rules = `update rule_versions v set rule = rule || $2 from organizations o where o.id = v.organization_id and o.slug = $1`;
  await app.pool.query(rules, [tenant.org, more]);
  return tenant;
}

/** The clock of UTC in so many minutes. */
const clockIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

interface Clock {
  quietUntil?: string;
  opensAt?: string;
  sentAt?: string;
}

/** A range around this moment, by the clock of UTC. */
function now(hours: number): WeeklyRange {
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const half = (hours / 2) * 3_600_000;
  return { days: [...DAYS], from: at(Date.now() - half), to: at(Date.now() + half) };
}

const setOrganization = ({ org }: Tenant, column: string, value: unknown) =>
  app.pool.query(`update organizations set ${column} = $2 where slug = $1`, [org, JSON.stringify(value)]);

const setUser = ({ org }: Tenant, email: string, column: string, value: string) =>
  app.pool.query(
    `update users u set ${column} = $3 from organizations o where o.id = u.organization_id and o.slug = $1 and u.email = $2`,
    [org, email, value],
  );

interface Waiting {
  user: string;
  status: string;
  gate: string | null;
  waits: string | null;
  hours: number | null;
}

async function deliveries(occurrence: string): Promise<Waiting[]> {
  const { rows } = await app.pool.query<Waiting>(
    `select u.email "user", d.status, d.gate, d.waits_for waits, round(extract(epoch from d.next_attempt_at - now()) / 3600)::int hours
     from deliveries d join users u on u.id = d.user_id where d.occurrence_id = $1 order by u.email`,
    [occurrence],
  );
  return rows;
}

const expanded = (occurrence: string) =>
  until(10_000, async () => {
    const rows = await deliveries(occurrence);
    return rows.length > 0 && rows.every(({ status, waits }) => status !== 'pending' || waits !== null) && rows;
  });

const texts = () =>
  hooks.requests.map(({ body }) => {
    const { user, text } = (JSON.parse(body) as { data: { user: string; text: string } }).data;
    return { user, text };
  });

describe('quiet hours', () => {
  it('of the organization make everyone wait who has none of their own, and nobody else', async () => {
    const tenant = await tenantOf([ANN, BOB], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    await setUser(tenant, BOB, 'quiet_hours', '[]');
    const occurrence = await tenant.trigger({ n: 1 });
    await until(10_000, () => hooks.requests.length === 1);
    expect(await expanded(occurrence)).toEqual([
      { user: ANN, status: 'pending', gate: null, waits: 'quiet', hours: 2 },
      { user: BOB, status: 'sent', gate: null, waits: null, hours: null },
    ]);
    expect(texts()).toEqual([{ user: BOB, text: '1' }]);
    await setUser(tenant, ANN, 'time_zone', 'Europe/Rome');
    expect(await explained(tenant, occurrence)).toBe(
      `${ANN} is waiting for "Tell" over hook: the user has quiet hours until <time>, by the clock of Europe/Rome.`,
    );
  });

  it('are looked at again when a message is due: a person who has moved is reached when their night is over', async () => {
    const tenant = await tenantOf([ANN], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const occurrence = await tenant.trigger({ n: 1 });
    await expanded(occurrence);
    // 14 hours ahead of UTC and 10 hours behind it, it is another time of the day.
    await setUser(tenant, ANN, 'time_zone', 'Etc/GMT-1');
    await travelToNextAttempt(app);
    const hours = () => until(10_000, async () => (await deliveries(occurrence))[0]!.hours);
    expect(await hours()).toBe(1);
    await setUser(tenant, ANN, 'time_zone', 'Pacific/Kiritimati');
    await travelToNextAttempt(app);
    await until(10_000, () => hooks.requests.length === 1);
    await tenant.settled(occurrence);
  });

  it('hold for a message whose time comes while its chunk is being sent', async () => {
    const tenant = await tenantOf([ANN, BOB], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const occurrence = await tenant.trigger({ n: 1 });
    await expanded(occurrence);
    const database = app.app.get(Database);
    const query = database.query.bind(database);
    const due = (user: string) =>
      app.pool.query(
        `update deliveries d set next_attempt_at = clock_timestamp() from users u where u.id = d.user_id and u.email = $1 and d.occurrence_id = $2`,
        [user, occurrence],
      );
    const spy = jest.spyOn(database, 'query').mockImplementation(async (name, ...more) => {
      const result = await query(name, ...more);
      if (name === 'recheck-preferences') {
        spy.mockRestore();
        await due(BOB);
      }
      return result;
    });
    await setUser(tenant, ANN, 'quiet_hours', '[]');
    await due(ANN);
    // The job is there a moment after the deliveries.
    const makeDue = `update jobs set run_at = now() where state = 'scheduled'`;
    await until(10_000, async () => (await app.pool.query(makeDue)).rowCount! > 0);
    await until(10_000, async () => {
      const [ann, bob] = await deliveries(occurrence);
      return ann!.status === 'sent' && (bob!.status === 'sent' || bob!.hours === 2);
    });
    expect(texts()).toEqual([{ user: ANN, text: '1' }]);
  });

  it('show in a simulation, by the time of the simulated trigger', async () => {
    const tenant = await tenantOf([ANN], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const simulated = async (at: number) => {
      const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
      const { body } = await app
        .as(tenant.key)
        .post(path)
        .send({ at: new Date(at).toISOString() });
      const [message] = (body as { messages: { waits_for: string; until: string }[] }).messages;
      return [message!.waits_for, message!.until && Math.round((Date.parse(message!.until) - at) / 3_600_000)];
    };
    expect(await simulated(Date.now())).toEqual(['quiet', 2]);
    expect(await simulated(Date.now() + 3 * 3_600_000)).toEqual([null, null]);
  });

  it('exempt critical messages', async () => {
    const tenant = await tenantOf([ANN], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    expect(await tenant.triggerAndSettle({ n: 1 }, { priority: 'critical' })).toMatchObject([{ status: 'sent' }]);
  });

  it('delay a large occurrence in as many statements as without', async () => {
    const people = Array.from({ length: 250 }, (_, n) => `p${n}@acme.test`);
    const tenant = await tenantOf(people, { window: { days: [...DAYS], from: now(2).to, to: now(4).to } });
    const occurrence = await tenant.trigger();
    const rows = await until(20_000, async () => {
      const found = await deliveries(occurrence);
      return found.length === 250 && found;
    });
    expect(new Set(rows.map(({ status, waits }) => `${status} ${waits}`))).toEqual(new Set(['pending window']));
    expect(await explained(tenant, occurrence, people[0])).toBe(
      `${people[0]} is waiting for "Tell" over hook: it is outside the send window of the notification until <time>, by the clock of UTC.`,
    );
    const { rows: jobs } = await app.pool.query(
      `select state, run_at = (select min(next_attempt_at) from deliveries d where d.occurrence_id = $1 and d.user_id > (payload->>'after')::int
                                 and d.user_id <= (payload->>'last')::int) "isOnTime"
       from jobs where task = 'deliver' and payload->>'occurrence' = $1::text`,
      [occurrence],
    );
    expect(jobs).toEqual([
      { state: 'scheduled', isOnTime: true },
      { state: 'scheduled', isOnTime: true },
    ]);
  });
});

/** When a person waits for the clock, and for how many seconds longer until the message is planned. */
interface Planned {
  user: string;
  end: Date;
  after: number;
}

async function planned(occurrence: string): Promise<Planned[]> {
  await expanded(occurrence);
  const { rows } = await app.pool.query<Planned>(
    `select u.email "user", d.waits_until "end", extract(epoch from d.next_attempt_at - d.waits_until)::float8 "after"
     from deliveries d join users u on u.id = d.user_id where d.occurrence_id = $1 order by u.email`,
    [occurrence],
  );
  return rows;
}

describe('after quiet hours', () => {
  const PEOPLE = Array.from({ length: 30 }, (_, n) => `p${n}@acme.test`);

  it('people are spread over two minutes, and each has the same moment for all messages', async () => {
    const tenant = await tenantOf(PEOPLE, {});
    const quiet = now(4);
    await setOrganization(tenant, 'quiet_hours', [quiet]);
    const rows = await planned(await tenant.trigger({ n: 1 }));
    for (const { end, after } of rows) {
      expect(end.toISOString().slice(11, 16)).toBe(quiet.to);
      expect(after).toBeGreaterThanOrEqual(0);
      expect(after).toBeLessThan(120);
    }
    expect(new Set(rows.map(({ after }) => after)).size).toBeGreaterThan(8);
    expect(await planned(await tenant.trigger({ n: 2 }))).toEqual(rows);
  });

  it('explain and simulate tell the end of the quiet hours and the planned time apart', async () => {
    const tenant = await tenantOf(PEOPLE, {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const occurrence = await tenant.trigger({ n: 1 });
    const { user, end, after } = (await planned(occurrence)).find((person) => person.after > 0)!;
    const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
    const { body } = await app.as(tenant.key).get(path).query({ user });
    const plannedAt = new Date(end.getTime() + after * 1000);
    expect(JSON.stringify(body)).toContain(
      `quiet hours until ${second(end)}, by the clock of UTC; it is planned for ${second(plannedAt)}`,
    );
    expect(JSON.stringify(body)).toContain(`"until":"${end.toISOString()}","planned_at":"${plannedAt.toISOString()}"`);
    const simulate = await app.as(tenant.key).post(`/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`).send({});
    const { messages } = simulate.body as { messages: { user: string; until: string }[] };
    for (const message of messages) {
      const same = (await planned(occurrence)).find((person) => person.user === message.user)!;
      expect(Date.parse(message.until)).toBe(same.end.getTime() + same.after * 1000);
    }
  });

  it.each([
    [1, 30],
    [3, 60],
  ])('nobody waits beyond the end of a window of %s minutes', async (minutes, most) => {
    const at = (hours: number, more = 0) =>
      new Date(Date.now() + hours * 3_600_000 + more * 60_000).toISOString().slice(11, 16);
    const tenant = await tenantOf(PEOPLE, { window: { days: [...DAYS], from: at(3), to: at(3, minutes) } });
    const rows = await planned(await tenant.trigger({ n: 1 }));
    for (const { after } of rows) expect(after).toBeLessThan(most);
  });

  it('nobody waits beyond the time when the message expires', async () => {
    const tenant = await tenantOf(PEOPLE, {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const [{ end }] = (await planned(await tenant.trigger({ n: 1 }))) as [Planned];
    const expiresAt = new Date(end.getTime() + 60_000).toISOString();
    const rows = await planned(await tenant.trigger({ n: 2 }, { expires_at: expiresAt }));
    expect(new Set(rows.map(({ after }) => after))).toEqual(new Set([0]));
  });

  it('the messages to a user leave in their order, from several workers too', async () => {
    const tenant = await tenantOf([ANN, BOB], {});
    await setOrganization(tenant, 'quiet_hours', [now(4)]);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      ids.push(await tenant.trigger({ n }));
      const job = `select from jobs where state = 'scheduled' and payload->>'occurrence' = $1`;
      await until(10_000, async () => (await app.pool.query(job, [ids[n]])).rowCount! > 0);
    }
    // The first one takes its time.
    hooks.reply = ({ body }) => ({ status: 200, delayMs: body.includes('"text":"0"') ? 1000 : 0 });
    const second = await startWorker(app);
    await setOrganization(tenant, 'quiet_hours', [{ days: [...DAYS], from: now(2).to, to: now(3).to }]);
    await travelToNextAttempt(app);
    await allSettled(ids, tenant);
    await second.stop();
    for (const person of [ANN, BOB])
      expect(texts().flatMap(({ user, text }) => (user === person ? [text] : []))).toEqual([
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
      ]);
  });
});

/** A time as explain writes it. */
const second = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z');

/** The sentence of explain, with `<time>` for each time. */
async function explained(tenant: Tenant, occurrence: string, user = ANN): Promise<string> {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const { body } = await app.as(tenant.key).get(path).query({ user });
  return (body as { sentence: string }).sentence.replace(/\d{4}-[\dT:-]+Z/g, '<time>');
}

const digest = (more: Partial<Rule['digest']> = {}) => ({ max_items: 100, first: 'wait' as const, window: 1, ...more });

/** How often each item was in a message that arrived: in a digest, or alone. */
function itemsOf(): Record<string, number> {
  const items: Record<string, number> = {};
  for (const { text } of texts())
    for (const n of text.includes(':') ? text.split(': ')[1]!.split('+')[0]!.trim().split(' ') : [text])
      items[n] = (items[n] ?? 0) + 1;
  return items;
}

const once = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 1]));

const noDigests = () => until(20_000, async () => (await app.pool.query('select from digests')).rowCount === 0);
const allSettled = (occurrences: string[], tenant: Tenant) =>
  Promise.all(occurrences.map((occurrence) => tenant.settled(occurrence, 20_000)));

describe('a digest', () => {
  describe('that is closed', () => {
    /** A digest of two items for Ann, which is due after `meanwhile`. Returns its carrier when it has an outcome, or waits. */
    async function closeAfter(meanwhile: (tenant: Tenant) => Promise<unknown>): Promise<Waiting> {
      const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
      await giveCategory(app.pool, tenant.org);
      for (const n of [1, 2]) await expanded(await tenant.trigger({ n }));
      await meanwhile(tenant);
      await app.pool.query('update digests set due_at = now()');
      await noDigests();
      const carrier = `select o.id from occurrences o join organizations g on g.id = o.organization_id where g.slug = $1 and o.digest is not null`;
      const [{ id }] = (await app.pool.query<{ id: string }>(carrier, [tenant.org])).rows as [{ id: string }];
      return until(10_000, async () => {
        const [row] = await deliveries(id);
        return (row!.status !== 'pending' || row!.waits !== null || (await isPaused(id))) && row!;
      });
    }

    const isPaused = async (occurrence: string) =>
      (await app.pool.query(`select from jobs where state = 'paused' and payload->>'occurrence' = $1`, [occurrence]))
        .rowCount === 1;

    it('is sent when it is closed, together with others and not by a job of its own', async () => {
      const statements = new Statements(app.app.get(Database));
      expect(await closeAfter(() => Promise.resolve())).toMatchObject({ status: 'sent', gate: null });
      expect(texts()).toEqual([{ user: ANN, text: '2: 1 2 +0' }]);
      expect(statements.names).toContain('recheck-digests');
      expect(statements.names).not.toContain('replace-jobs');
    });

    it('is not sent to a user who has opted out before it is closed', async () => {
      const optOut = ({ org }: Tenant) =>
        app.pool.query(
          `insert into preferences (organization_id, user_id, category_id, is_on, chosen_by)
           select u.organization_id, u.id, c.id, false, 'person' from users u join organizations o on o.id = u.organization_id
           join categories c on c.organization_id = o.id where o.slug = $1`,
          [org],
        );
      expect(await closeAfter(optOut)).toMatchObject({ status: 'skipped', gate: 'opted_out' });
      expect(texts()).toEqual([]);
    });

    it('waits for quiet hours that have begun before it is closed', async () => {
      const carrier = await closeAfter((tenant) => setOrganization(tenant, 'quiet_hours', [now(4)]));
      expect(carrier).toMatchObject({ status: 'pending', waits: 'quiet', hours: 2 });
      await travelToNextAttempt(app);
      expect(texts()).toEqual([]);
    });

    it('waits for a channel that is off when it is closed', async () => {
      const switchOff = ({ org }: Tenant) =>
        app.pool.query(
          `update channels c set enabled = false from organizations o where o.id = c.organization_id and o.slug = $1`,
          [org],
        );
      expect(await closeAfter(switchOff)).toMatchObject({ status: 'pending', waits: null });
      expect(texts()).toEqual([]);
    });

    it('is sent by another worker after the one that took it has died', async () => {
      // As if the job had been taken by a worker that died.
      await app.pool.query(`
        create function die() returns trigger language plpgsql as 'begin new.attempts = new.attempts + 1; return new; end';
        create trigger die before insert on jobs for each row when (new.payload ? 'digests') execute function die()`);
      try {
        expect(await closeAfter(() => Promise.resolve())).toMatchObject({ status: 'sent', gate: null });
      } finally {
        await app.pool.query('drop function die cascade');
      }
      expect(texts()).toEqual([{ user: ANN, text: '2: 1 2 +0' }]);
    });
  });

  it('carries the messages of 50 triggers at once, and each says which one carried it', async () => {
    const tenant = await tenantOf([ANN], { digest: digest() });
    const occurrences = await Promise.all(Array.from({ length: 50 }, (_, n) => tenant.trigger({ n })));
    const rows = (await allSettled(occurrences, tenant)).flat();
    expect(new Set(rows.map(({ status, gate }) => `${status} ${gate}`))).toEqual(new Set(['skipped digested']));
    await until(10_000, () => texts().length > 0 && Object.keys(itemsOf()).length === 50);
    expect(itemsOf()).toEqual(once(50));
    const { rows: carriers } = await app.pool.query<{ count: number; items: number }>(
      `select (o.digest->>'count')::int count, (select count(*)::int from deliveries i where i.carried_by = d.id) items
       from deliveries d join occurrences o on o.id = d.occurrence_id join organizations g on g.id = d.organization_id
       where g.slug = $1 and o.digest is not null`,
      [tenant.org],
    );
    expect(carriers.reduce((sum, { count }) => sum + count, 0)).toBe(50);
    for (const { count, items } of carriers) expect(items).toBe(count);
  });

  it('is sent when it is full, from two sides at once, and no item is in two of them', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 2, max_items: 7 }) });
    const second = await startWorker(app);
    const occurrences = await Promise.all(Array.from({ length: 60 }, (_, n) => tenant.trigger({ n })));
    await allSettled(occurrences, tenant);
    await until(10_000, () => Object.keys(itemsOf()).length === 60);
    await second.stop();
    expect(itemsOf()).toEqual(once(60));
    const counts = texts().map(({ text }) => Number(text.split(':')[0]));
    expect(Math.max(...counts)).toBe(7);
  });

  it('sends the first message at once, and gathers those that follow', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ first: 'now' }) });
    const first = await tenant.triggerAndSettle({ n: 0 });
    expect(first).toMatchObject([{ status: 'sent', gate: null }]);
    const others = [await tenant.trigger({ n: 1 }), await tenant.trigger({ n: 2 })];
    await allSettled(others, tenant);
    await until(10_000, () => texts().length === 2);
    expect(texts().map(({ text }) => text)).toEqual(['0', '2: 1 2 +0']);
  });

  it('keeps its items while another person of the same occurrence is tried again', async () => {
    const tenant = await tenantOf([ANN, BOB], { digest: digest({ first: 'now', window: 3600 }) });
    await tenant.triggerAndSettle({ n: 0 }, { limit_to: [BOB] });
    hooks.reply = () => ({ status: 503 });
    // The first one for Ann, which fails, and one more for Bob, which waits.
    const occurrence = await tenant.trigger({ n: 1 });
    const before = await until(10_000, async () => {
      const rows = await deliveries(occurrence);
      return rows.length === 2 && rows[0]!.hours !== null && rows;
    });
    expect(before.map(({ waits }) => waits)).toEqual([null, 'digest']);
    hooks.reply = () => ({ status: 200 });
    await app.pool.query(`update deliveries set next_attempt_at = now() where next_attempt_at is not null`);
    await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
    await until(10_000, async () => (await deliveries(occurrence))[0]!.status === 'sent');
    await until(
      10_000,
      async () =>
        (await app.pool.query(`select from jobs where payload->>'occurrence' = $1`, [occurrence])).rowCount === 0,
    );
    expect((await deliveries(occurrence))[1]).toMatchObject({ user: BOB, status: 'pending', waits: 'digest' });
    await app.pool.query('update digests set due_at = now()');
    await until(10_000, () => texts().at(-1)?.text === '1: 1 +0');
  });

  it('takes no item while it is closed: an item that comes then waits for the next one', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
    const closing = await app.pool.connect();
    let items = 0;
    // As a worker does it. A worker may be first: then the next item has another digest.
    const lockDue = async () => {
      await expanded(await tenant.trigger({ n: items++ }));
      await app.pool.query('update digests set due_at = now()');
      await closing.query('begin');
      const { rowCount } = await closing.query(LOCK_DUE, [10, 10]);
      if (rowCount === 0) await closing.query('rollback');
      return rowCount === 1;
    };
    try {
      await until(20_000, lockDue);
      await tenant.trigger({ n: items++ });
      const { rows } = await closing.query<{ pid: number }>('select pg_backend_pid() pid');
      const blocked = `select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))`;
      await until(10_000, async () => (await app.pool.query(blocked, [rows[0]!.pid])).rowCount! > 0);
    } finally {
      await closing.query('rollback');
      closing.release();
    }
    await until(20_000, async () => {
      await app.pool.query('update digests set due_at = now()');
      return Object.keys(itemsOf()).length === items;
    });
    expect(itemsOf()).toEqual(once(items));
  });

  it('has one message for each value of its key', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ key: 'topic.id' }) });
    const topics = ['a', 'b', 'a', 'b'];
    const ids = await Promise.all(topics.map((id, n) => tenant.trigger({ n, topic: { id } })));
    await allSettled(ids, tenant);
    await until(10_000, () => texts().length === 2);
    expect(texts().map(({ text }) => text.split(':')[0])).toEqual(['2', '2']);
    expect(itemsOf()).toEqual(once(4));
  });

  it.each<[string, Partial<Rule['digest']>, Clock, string]>([
    ['after its window', { window: 60 }, {}, 'that is sent at <time>.'],
    [
      'when quiet hours end',
      { window: 60 },
      { quietUntil: clockIn(120) },
      'that is closed at <time> and sent at <time>, because the user has quiet hours until then, by the clock of UTC.',
    ],
    [
      'when the send window opens',
      { window: 60 },
      { opensAt: clockIn(180) },
      'that is closed at <time> and sent at <time>, because it is outside the send window of the notification until then, by the clock of UTC.',
    ],
    [
      'at the time of its schedule',
      { window: undefined, schedule: { days: [...DAYS], at: clockIn(90) } },
      { sentAt: clockIn(90) },
      'that is sent at <time>.',
    ],
  ])('says in explain and in a simulation when it is sent: %s', async (_, settings, clock, why) => {
    const { quietUntil, opensAt, sentAt = quietUntil ?? opensAt } = clock;
    const opens = opensAt && { days: [...DAYS], from: opensAt, to: clockIn(240) };
    const tenant = await tenantOf([ANN], { digest: digest(settings), ...(opens ? { window: opens } : {}) });
    if (quietUntil)
      await setOrganization(tenant, 'quiet_hours', [{ days: [...DAYS], from: clockIn(-60), to: quietUntil }]);
    const at = Date.now();
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const { body } = await app
      .as(tenant.key)
      .post(path)
      .send({ at: new Date(at).toISOString() });
    const [message] = (body as { messages: { waits_for: string; until: string }[] }).messages;
    expect(message!.waits_for).toBe('digest');
    expect(sentAt ? message!.until.slice(11, 16) : Date.parse(message!.until) - at).toBe(sentAt ?? 60_000);
    const occurrence = await tenant.trigger({ n: 1 });
    await expanded(occurrence);
    expect(await explained(tenant, occurrence)).toBe(
      `${ANN} is waiting for "Tell" over hook: it is gathered in a digest ${why}`,
    );
    const { body: all } = await app
      .as(tenant.key)
      .get(`/api/o/${tenant.org}/occurrences/${occurrence}/explain/?user=${ANN}`);
    const [{ evidence }] = (all as { rules: { channels: { evidence: { until: string; closes_at: string } }[] }[] })
      .rules[0]!.channels as [{ evidence: { until: string; closes_at: string } }];
    expect(sentAt ? evidence.until.slice(11, 16) : evidence.until).toBe(sentAt ?? evidence.closes_at);
    await app.pool.query('delete from digests');
  });

  it('that is open already takes the first message too, in a simulation', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ first: 'now', window: 3600 }) });
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const waits = async () => {
      const { body } = await app.as(tenant.key).post(path).send({});
      return (body as { messages: { waits_for: string | null; until: string | null }[] }).messages[0]!;
    };
    expect(await waits()).toMatchObject({ waits_for: null, until: null });
    await tenant.triggerAndSettle({ n: 1 });
    const { rows } = await app.pool.query<{ due: Date }>('select due_at due from digests');
    expect(await waits()).toMatchObject({ waits_for: 'digest', until: rows[0]!.due.toISOString() });
    await app.pool.query('delete from digests');
  });

  it('carries its items to a webhook', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
    const alone = await tenantOf([ANN], {});
    const ids = [await tenant.trigger({ n: 1, title: 'One' }), await tenant.trigger({ n: 2, title: 'Two' })];
    for (const id of ids) await expanded(id);
    await app.pool.query(`update digests set due_at = now()`);
    await until(10_000, () => hooks.requests.length === 1);
    const dataOf = (request: number) => (JSON.parse(hooks.requests[request]!.body) as { data: object }).data;
    expect(dataOf(0)).toMatchObject({
      context: { n: 2, title: 'Two' },
      digest: {
        count: 2,
        more: 0,
        items: [
          { n: 1, title: 'One' },
          { n: 2, title: 'Two' },
        ],
        first_at: expect.any(String),
        last_at: expect.any(String),
      },
    });
    await alone.triggerAndSettle({ n: 3 });
    expect(dataOf(1)).not.toHaveProperty('digest');
  });

  it('that fell back is what became of its fallback, for each of its items', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
    await tenant.apply({ channels: [inbox('inbox'), { ...webhook('hook', hooks.url()), fallback: 'inbox' }] });
    hooks.reply = () => ({ status: 400, body: 'no' });
    const ids = [await tenant.trigger({ n: 1 }), await tenant.trigger({ n: 2 })];
    for (const id of ids) await expanded(id);
    await app.pool.query(`update digests set due_at = now()`);
    await allSettled(ids, tenant);
    const sent = `was sent "Tell" over hook at <time> in a digest of 2, over inbox in place of hook.`;
    for (const id of ids)
      expect(await until(10_000, async () => /was sent.*/.exec(await explained(tenant, id))?.[0])).toBe(sent);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${ANN}/deliveries/?limit=10`);
    const sentences = (body as { occurrence: string; sentence: string }[])
      .filter(({ occurrence }) => ids.includes(occurrence))
      .map(({ sentence }) => sentence);
    expect(sentences).toEqual(Array(2).fill(expect.stringContaining('in a digest of 2, over inbox in place of hook')));
  });

  it('leaves out what was canceled, and is not sent when nothing is left', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
    const [one, two, three] = [
      await tenant.trigger({ n: 1 }),
      await tenant.trigger({ n: 2 }),
      await tenant.trigger({ n: 3 }),
    ];
    for (const id of [one, two, three]) await expanded(id);
    expect(await explained(tenant, one)).toBe(
      `${ANN} is waiting for "Tell" over hook: it is gathered in a digest that is sent at <time>.`,
    );
    const cancel = (id: string) => app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${id}/cancel/`);
    expect((await cancel(two)).status).toBe(200);
    await app.pool.query(`update digests set due_at = now()`);
    await allSettled([one, three], tenant);
    await until(10_000, () => texts().length === 1);
    expect(texts()).toEqual([{ user: ANN, text: '2: 1 3 +0' }]);
    const path = `/api/o/${tenant.org}/occurrences/${one}/deliveries/`;
    expect((await app.as(tenant.key).get(path)).body).toMatchObject([
      {
        gate: 'digested',
        waits_for: null,
        carried_by: { occurrence: expect.any(String), delivery: expect.any(Number) },
      },
    ]);
    expect(await until(5000, async () => /was sent.*/.exec(await explained(tenant, one))?.[0])).toBe(
      'was sent "Tell" over hook at <time> in a digest of 2.',
    );
    const alone = await tenant.trigger({ n: 4 });
    await expanded(alone);
    await cancel(alone);
    await app.pool.query(`update digests set due_at = now()`);
    await noDigests();
    expect(texts()).toHaveLength(1);
  });

  it('that is closed while its items are canceled carries exactly those that were not', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600, key: 'pair' }) });
    const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => tenant.trigger({ n, pair: n % 20 })));
    for (const id of ids) await expanded(id);
    const cancel = (id: string) => app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${id}/cancel/`);
    const close = app.pool.query(`update digests set due_at = now()`);
    await Promise.all([close, ...ids.filter((_, n) => n % 3 === 0).map((id) => cancel(id))]);
    const rows = (
      await Promise.all(
        ids.map((id) =>
          until(20_000, async () => {
            const [row] = await deliveries(id);
            return row!.status !== 'pending' && { ...row!, id };
          }),
        ),
      )
    ).map(({ gate }, n) => ({ gate, n }));
    await noDigests();
    const carried = rows.filter(({ gate }) => gate === 'digested').map(({ n }) => String(n));
    expect(rows.filter(({ gate }) => gate === 'canceled').length + carried.length).toBe(40);
    await until(10_000, () => Object.keys(itemsOf()).length === carried.length);
    expect(itemsOf()).toEqual(Object.fromEntries(carried.map((n) => [n, 1])));
  });

  it('that cannot be closed keeps back no other', async () => {
    const [bad, good] = [
      await tenantOf([ANN], { digest: digest({ window: 3600 }) }),
      await tenantOf([ANN], { digest: digest({ window: 3600 }) }),
    ];
    for (const tenant of [bad, good]) await expanded(await tenant.trigger({ n: tenant.org }));
    // No door lets such a period in.
    const broken = `update digests set settings = settings || '{"rule_limit": {"count": 1, "per": "fortnight"}}' where organization_id = (select id from organizations where slug = $1)`;
    await app.pool.query(broken, [bad.org]);
    await app.pool.query(`update digests set due_at = now()`);
    await until(10_000, () => texts().length === 1);
    expect(itemsOf()).toEqual({ [good.org]: 1 });
    const waits = `select from digests where due_at > now() + interval '30 seconds'`;
    await until(10_000, async () => (await app.pool.query(waits)).rowCount === 1);
    await app.pool.query('delete from digests');
  });

  it('shows as many contexts as fit, and counts the others', async () => {
    const tenant = await tenantOf([ANN], { digest: digest({ window: 3600 }) });
    const big = 'x'.repeat(100_000);
    const ids = [];
    for (const n of [0, 1, 2, 3]) ids.push(await tenant.trigger({ n, big }));
    for (const id of ids) await expanded(id);
    await app.pool.query(`update digests set due_at = now()`);
    await until(10_000, () => texts().length === 1);
    expect(texts()).toEqual([{ user: ANN, text: '4: 0 1 +2' }]);
  });
});

describe('a limit', () => {
  const triggerMany = (tenant: Tenant, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => tenant.trigger({ n })));
  const outcomes = async (tenant: Tenant, ids: string[]) => {
    const counts: Record<string, number> = {};
    for (const { status, gate } of (await allSettled(ids, tenant)).flat())
      counts[gate ?? status] = (counts[gate ?? status] ?? 0) + 1;
    return counts;
  };

  it('of five lets five of a hundred triggers at once through, and 95 say that they were capped', async () => {
    const tenant = await tenantOf([ANN], { limit: { count: 5, per: 'week', then: 'drop' } });
    const second = await startWorker(app);
    const ids = await triggerMany(tenant, 100);
    expect(await outcomes(tenant, ids)).toEqual({ sent: 5, capped: 95 });
    await second.stop();
    expect(texts()).toHaveLength(5);
    const sentences = new Set(await Promise.all(ids.slice(0, 20).map((id) => explained(tenant, id))));
    expect([...sentences].sort()).toEqual([
      expect.stringContaining(
        'was not sent "Tell" over hook, because the user had already got 5 messages in that week, which is the limit of the notification.',
      ),
      expect.stringContaining('was sent'),
    ]);
  });

  it('counts each person and each value of its key for itself', async () => {
    const tenant = await tenantOf([ANN, BOB], { limit: { count: 1, per: 'week', key: 'n', then: 'drop' } });
    const ids = [...(await triggerMany(tenant, 3)), ...(await triggerMany(tenant, 3))];
    expect(await outcomes(tenant, ids)).toEqual({ sent: 6, capped: 6 });
  });

  it('gathers what is above it until the period ends', async () => {
    const tenant = await tenantOf([ANN], { limit: { count: 2, per: 'week', then: 'digest' } });
    const ids = await triggerMany(tenant, 10);
    await until(10_000, () => texts().length === 2);
    for (const id of ids) await expanded(id);
    const { rows } = await app.pool.query(
      `select items, due_at = date_trunc('week', now()) + interval '1 week' "isMonday" from digests where organization_id = (select id from organizations where slug = $1)`,
      [tenant.org],
    );
    expect(rows).toEqual([{ items: 8, isMonday: true }]);
    await app.pool.query(`delete from digests`);
  });

  it('of the organization holds over all rules of categories that are not required', async () => {
    const tenant = await tenantOf([ANN, BOB], {});
    await setOrganization(tenant, 'message_limit', { count: 3, per: 'week' });
    // Without a category an event is transactional, also when people are judged for another reason.
    await app.pool.query(
      `insert into suppressions (organization_id, name, value, value_key, cause) select id, 'email', 'x', 'x', 'manual' from organizations where slug = $1`,
      [tenant.org],
    );
    expect(await outcomes(tenant, await triggerMany(tenant, 4))).toEqual({ sent: 8 });
    await app.pool.query(
      `with c as (insert into categories (organization_id, project_id, slug, name)
                  select p.organization_id, p.id, 'news', 'News' from projects p join organizations o on o.id = p.organization_id where o.slug = $1
                  returning *)
       update events e set category_id = c.id from c where e.organization_id = c.organization_id`,
      [tenant.org],
    );
    expect(await outcomes(tenant, await triggerMany(tenant, 10))).toEqual({ sent: 6, capped: 14 });
  });

  it('counts a digest as one message', async () => {
    const limits = { limit: { count: 1, per: 'week' as const, then: 'drop' as const } };
    const tenant = await tenantOf([ANN], { digest: digest(), ...limits });
    expect(await outcomes(tenant, await triggerMany(tenant, 3))).toEqual({ digested: 3 });
    expect(await outcomes(tenant, await triggerMany(tenant, 2))).toEqual({ capped: 2 });
    await until(10_000, () => texts().length === 1);
  });

  it('lets one of two digests through that are closed together, if there is room for one', async () => {
    const limit = { count: 1, per: 'week' as const, then: 'drop' as const };
    const tenant = await tenantOf([ANN], { digest: digest({ key: 'n', window: 3600 }), limit });
    const ids = await triggerMany(tenant, 2);
    for (const id of ids) await expanded(id);
    await app.pool.query('update digests set due_at = now()');
    expect(await outcomes(tenant, ids)).toEqual({ digested: 1, capped: 1 });
  });
});
