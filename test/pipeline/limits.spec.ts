import { describe, expect, it } from '@jest/globals';
import { DAYS } from '../../src/platform/field/weekly-range.js';
import type { Rule, WeeklyRange } from '../../src/rules/ruleset/rule.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { DeliveryRow } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const TEXT = `{% if digest %}{{ digest.count }}: {% for item in digest.items %}{{ item.n }} {% endfor %}{% else %}{{ n }}{% endif %}`;

type More = Pick<Rule, 'window' | 'digest' | 'limit'>;
type Limit = NonNullable<Rule['limit']>;
const limitOf = (count: number, more: Partial<Limit> = {}): More => ({
  limit: { count, per: 'week', then: 'drop', ...more },
});

/** A tenant whose one rule has a limit; the hook falls back to the spare channel, if there is one. */
async function tenantOf(more: More, { people = [ANN], spare = false } = {}): Promise<Tenant> {
  const hook = { ...webhook('hook', hooks.url('/hook')), ...(spare ? { fallback: 'spare' } : {}) };
  const tenant = await Tenant.create(app, {
    channels: [...(spare ? [webhook('spare', hooks.url('/spare'))] : []), hook],
    users: people.map((email) => ({ email })),
    lists: [{ name: 'Staff', members: people }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: TEXT }] }],
  });
  const rules = `update rule_versions v set rule = rule || $2 from organizations o where o.id = v.organization_id and o.slug = $1`;
  await app.pool.query(rules, [tenant.org, more]);
  return tenant;
}

const setOrganization = ({ org }: Tenant, column: string, value: unknown) =>
  app.pool.query(`update organizations set ${column} = $2 where slug = $1`, [org, value && JSON.stringify(value)]);

/** Quiet hours around this moment. */
function aroundNow(): WeeklyRange {
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return { days: [...DAYS], from: at(Date.now() - 7_200_000), to: at(Date.now() + 7_200_000) };
}

/** Triggers so many messages, each in a week of its own, while everybody has quiet hours. */
async function atNight(tenant: Tenant, count: number): Promise<string[]> {
  await setOrganization(tenant, 'quiet_hours', [aroundNow()]);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push(await tenant.trigger({ n }));
    const waits = `select from jobs where state = 'scheduled' and payload->>'occurrence' = $1`;
    await until(10_000, async () => (await app.pool.query(waits, [ids[n]])).rowCount! > 0);
    await nextWeek(tenant);
  }
  return ids;
}

/** The quiet hours are over, and everything that waited for them is due. */
async function morning(tenant: Tenant): Promise<void> {
  await setOrganization(tenant, 'quiet_hours', [{ days: [...DAYS], from: '00:00', to: '00:01' }]);
  await travelToNextAttempt(app);
}

const received = () =>
  hooks.requests.map(({ body }) => (JSON.parse(body) as { data: { user: string; text: string } }).data);

const ends = async (tenant: Tenant, ids: string[]) => {
  const rows = await Promise.all(ids.map((id) => tenant.settled(id, 20_000)));
  return rows.map(([row]) => row!.gate ?? row!.status);
};

/** The end of one message, also of one that was canceled. */
const endOf = (tenant: Tenant, id: string) =>
  until(15_000, async () => {
    const [row] = await tenant.deliveries(id);
    return row && row.status !== 'pending' && (row.gate ?? row.status);
  });

const post = (tenant: Tenant, path: string) => app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${path}`);

async function explained(tenant: Tenant, occurrence: string): Promise<{ sentence: string; findings: unknown[] }> {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const { body } = await app.as(tenant.key).get(path).query({ user: ANN });
  return body as { sentence: string; findings: unknown[] };
}

describe('a limit counts what is sent', () => {
  it('when quiet hours end, not when they begin: the oldest message comes, and no other', async () => {
    const tenant = await tenantOf(limitOf(1));
    const ids = await atNight(tenant, 4);
    await morning(tenant);
    expect(await ends(tenant, ids)).toEqual(['sent', 'capped', 'capped', 'capped']);
    expect(received().map(({ text }) => text)).toEqual(['0']);
  });

  it('of the organization in the same way', async () => {
    const tenant = await tenantOf({});
    await setOrganization(tenant, 'message_limit', { count: 2, per: 'week' });
    await app.pool.query(
      `with c as (insert into categories (organization_id, project_id, slug, name)
                  select p.organization_id, p.id, 'news', 'News' from projects p join organizations o on o.id = p.organization_id where o.slug = $1
                  returning *)
       update events e set category_id = c.id from c where e.organization_id = c.organization_id`,
      [tenant.org],
    );
    const ids = await atNight(tenant, 4);
    await morning(tenant);
    expect(await ends(tenant, ids)).toEqual(['sent', 'sent', 'capped', 'capped']);
    expect(received().map(({ text }) => text)).toEqual(['0', '1']);
    expect((await explained(tenant, ids[3]!)).sentence).toContain(
      'the user had already got 2 messages in that week, which is the limit of the organization',
    );
  });

  it('and gathers what is above it when its time has come', async () => {
    const tenant = await tenantOf(limitOf(1, { then: 'digest' }));
    const ids = await atNight(tenant, 3);
    await morning(tenant);
    expect(await ends(tenant, ids.slice(0, 1))).toEqual(['sent']);
    const due = `select items, due_at = date_trunc('week', now()) + interval '1 week' "isMonday" from digests where organization_id = (select id from organizations where slug = $1)`;
    await until(10_000, async () => (await app.pool.query(due, [tenant.org])).rows[0]?.items === 2);
    expect((await app.pool.query(due, [tenant.org])).rows).toEqual([{ items: 2, isMonday: true }]);
    expect((await explained(tenant, ids[2]!)).sentence).toContain('it is gathered in a digest that is ');
    expect(received()).toHaveLength(1);
    await nextWeek(tenant);
    await app.pool.query('update digests set due_at = now()');
    expect(await ends(tenant, ids)).toEqual(['sent', 'digested', 'digested']);
    await until(10_000, () => received().length === 2);
    expect(received()[1]!.text).toBe('2: 1 2 ');
  });
});

/** A week passes for the limits of a tenant. */
async function nextWeek({ org }: Tenant): Promise<void> {
  const sql = `update message_places p set since = since - interval '1 week' from organizations o where o.id = p.organization_id and o.slug = $1`;
  await app.pool.query(sql, [org]);
}

describe('a message gives its place back', () => {
  it('when it is dead, and a retry by hand asks for a new one', async () => {
    const tenant = await tenantOf(limitOf(1));
    hooks.reply = () => ({ status: 400 });
    const first = await tenant.trigger({ n: 0 });
    expect(await endOf(tenant, first)).toBe('dead');
    hooks.reply = () => ({ status: 200 });
    expect(await ends(tenant, [await tenant.trigger({ n: 1 })])).toEqual(['sent']);
    expect((await post(tenant, `${first}/retry/`)).status).toBe(200);
    expect(await until(15_000, async () => (await tenant.deliveries(first))[0]!.gate)).toBe('capped');
    expect(received().map(({ text }) => text)).toEqual(['0', '1']);
  });

  it('when a retry by hand finds it free, and keeps it then', async () => {
    const tenant = await tenantOf(limitOf(1));
    hooks.reply = () => ({ status: 400 });
    const first = await tenant.trigger({ n: 0 });
    expect(await endOf(tenant, first)).toBe('dead');
    hooks.reply = () => ({ status: 200 });
    expect((await post(tenant, `${first}/retry/`)).status).toBe(200);
    await until(15_000, async () => (await tenant.deliveries(first))[0]!.status === 'sent');
    expect(await ends(tenant, [await tenant.trigger({ n: 1 })])).toEqual(['capped']);
  });

  it('when it is canceled or expires before it was sent', async () => {
    const tenant = await tenantOf(limitOf(1));
    hooks.reply = () => ({ status: 500 });
    const canceled = await tenant.trigger({ n: 0 });
    await tenant.tried(canceled, 1);
    const capped = await tenant.trigger({ n: 1 });
    expect(await endOf(tenant, capped)).toBe('capped');
    expect((await post(tenant, `${canceled}/cancel/`)).status).toBe(200);
    expect(await endOf(tenant, canceled)).toBe('canceled');
    const expires = await tenant.trigger({ n: 2 }, { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    await tenant.tried(expires, 1);
    await app.pool.query(`update occurrences set options = '{"expires_at": "2020-01-01T08:00:00Z"}' where id = $1`, [
      expires,
    ]);
    await travelToNextAttempt(app);
    expect(await endOf(tenant, expires)).toBe('expired');
    hooks.reply = () => ({ status: 200 });
    expect(await ends(tenant, [await tenant.trigger({ n: 3 })])).toEqual(['sent']);
  });

  it('but not when it may have arrived: the answer to an attempt was lost', async () => {
    const tenant = await tenantOf(limitOf(1));
    hooks.reply = () => 'reset';
    const lost = await tenant.trigger({ n: 0 });
    await tenant.tried(lost, 1);
    expect((await post(tenant, `${lost}/cancel/`)).status).toBe(200);
    expect(await endOf(tenant, lost)).toBe('canceled');
    hooks.reply = () => ({ status: 200 });
    expect(await ends(tenant, [await tenant.trigger({ n: 1 })])).toEqual(['capped']);
  });

  it('and not while it is tried again', async () => {
    const tenant = await tenantOf(limitOf(1));
    hooks.reply = () => ({ status: 500 });
    const first = await tenant.trigger({ n: 0 });
    await tenant.tried(first, 1);
    hooks.reply = () => ({ status: 200 });
    expect(await ends(tenant, [await tenant.trigger({ n: 1 })])).toEqual(['capped']);
    await travelToNextAttempt(app);
    expect(await ends(tenant, [first])).toEqual(['sent']);
  });

  it('to the fallback that takes over from it', async () => {
    const tenant = await tenantOf(limitOf(1), { spare: true });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    hooks.reply = async ({ path }) => {
      if (path === '/hook') return { status: 400 };
      await held;
      return { status: 200 };
    };
    const first = await tenant.trigger({ n: 0 });
    await until(10_000, () => hooks.requests.some(({ path }) => path === '/spare'));
    expect(await endOf(tenant, await tenant.trigger({ n: 1 }))).toBe('capped');
    answer();
    const rows = await tenant.settled(first);
    expect(rows.map(({ channel, status }) => [channel, status])).toEqual([
      ['hook', 'dead'],
      ['spare', 'sent'],
    ]);
    expect(await endOf(tenant, await tenant.trigger({ n: 2 }))).toBe('capped');
  });
});

describe('a limit', () => {
  it('is explained as it was when it kept the message back', async () => {
    const tenant = await tenantOf(limitOf(1));
    await tenant.triggerAndSettle({ n: 0 });
    const capped = await tenant.trigger({ n: 1 });
    expect(await ends(tenant, [capped])).toEqual(['capped']);
    await app.pool.query(
      `update rule_versions v set rule = rule || '{"limit": {"count": 7, "per": "day", "then": "drop"}}' from organizations o where o.id = v.organization_id and o.slug = $1`,
      [tenant.org],
    );
    const why = 'the user had already got 1 message in that week, which is the limit of the notification';
    expect((await explained(tenant, capped)).sentence).toContain(why);
  });

  it('begins anew with each period', async () => {
    const tenant = await tenantOf(limitOf(1));
    expect(await ends(tenant, [await tenant.trigger({ n: 0 })])).toEqual(['sent']);
    expect(await ends(tenant, [await tenant.trigger({ n: 1 })])).toEqual(['capped']);
    await nextWeek(tenant);
    expect(await ends(tenant, [await tenant.trigger({ n: 2 })])).toEqual(['sent']);
  });

  it('counts the first message of a digest that is sent at once, and gathers it if there is no room', async () => {
    const digest = { window: 3600, max_items: 50, first: 'now' as const };
    const tenant = await tenantOf({ digest, ...limitOf(1, { then: 'digest' }) });
    expect(await ends(tenant, [await tenant.trigger({ n: 0 })])).toEqual(['sent']);
    await app.pool.query('delete from digests');
    const second = await tenant.trigger({ n: 1 });
    const items = `select items from digests where organization_id = (select id from organizations where slug = $1)`;
    await until(10_000, async () => (await app.pool.query(items, [tenant.org])).rows[0]?.items === 1);
    const [row] = (await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${second}/deliveries/`)).body as {
      waits_for: string;
    }[];
    expect(row!.waits_for).toBe('digest');
    await app.pool.query('delete from digests');
  });

  it('keeps a digest back whose place was taken while it waited for the morning', async () => {
    const digest = { window: 1, max_items: 50, first: 'wait' as const, key: 'n' };
    const tenant = await tenantOf({ digest, ...limitOf(1) });
    await setOrganization(tenant, 'quiet_hours', [aroundNow()]);
    const carriers = async () =>
      (
        await app.pool.query<DeliveryRow & { waits: string | null }>(
          `select d.status, d.gate, d.waits_for waits from deliveries d join occurrences o on o.id = d.occurrence_id join organizations g on g.id = d.organization_id
           where g.slug = $1 and o.digest is not null order by d.id`,
          [tenant.org],
        )
      ).rows;
    for (const n of [0, 1]) {
      await tenant.trigger({ n });
      await until(15_000, async () => (await carriers()).filter(({ waits }) => waits === 'quiet').length === n + 1);
    }
    await morning(tenant);
    await until(15_000, async () => (await carriers()).every(({ status }) => status !== 'pending'));
    expect((await carriers()).map(({ status, gate }) => gate ?? status)).toEqual(['sent', 'capped']);
    expect(received()).toHaveLength(1);
  });
});

describe('several workers', () => {
  /** The same numbers in every run. */
  function* numbers(): Generator<number, never> {
    for (let x = 7; ; x = (x * 1103515245 + 12345) % 2 ** 31) yield x / 2 ** 31;
  }

  it('together send never more than a limit allows, whatever comes in whatever order', async () => {
    const people = ['a@acme.test', 'b@acme.test', 'c@acme.test'];
    const tenant = await tenantOf(limitOf(3, { key: 'topic' }), { people });
    const workers = [await startWorker(app), await startWorker(app)];
    const random = numbers();
    const next = (below: number) => Math.floor(random.next().value * below);
    // Some are refused for ever, and their places are free again; some are tried again.
    hooks.reply = () => ({ status: [200, 200, 200, 400, 503][next(5)]! });
    const ids: string[] = [];
    for (let wave = 0; wave < 6; wave++) {
      const triggers = Array.from({ length: 12 }, () =>
        tenant.trigger({ topic: next(3) }, next(2) ? { limit_to: [people[next(3)]!] } : {}),
      );
      ids.push(...(await Promise.all(triggers)));
    }
    await until(20_000, async () => {
      await app.pool.query(
        `update deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
      );
      await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
      return queueIsEmpty(app, 1).catch(() => false);
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    const { rows } = await app.pool.query<{ sent: number; capped: number; dead: number }>(
      `select count(*) filter (where d.status = 'sent')::int sent, count(*) filter (where d.gate = 'capped')::int capped,
              count(*) filter (where d.status = 'dead')::int dead
       from deliveries d join occurrences o on o.id = d.occurrence_id where o.id = any($1) group by d.user_id, o.context->>'topic'`,
      [ids],
    );
    expect(rows).toHaveLength(9);
    for (const { sent } of rows) expect(sent).toBeLessThanOrEqual(3);
    // Without any refusal there would be nothing to give back.
    expect(rows.reduce((sum, { dead }) => sum + dead, 0)).toBeGreaterThan(0);
    // What was kept back had a reason: at the end every place is taken, or was until the last message came.
    expect(rows.reduce((sum, { capped }) => sum + capped, 0)).toBeGreaterThan(0);
  });

  it('send exactly as many as a limit allows when nothing fails', async () => {
    const tenant = await tenantOf(limitOf(4));
    const workers = [await startWorker(app), await startWorker(app)];
    const ids = await atNight(tenant, 12);
    await morning(tenant);
    const outcome = await ends(tenant, ids);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(outcome).toEqual([...Array<string>(4).fill('sent'), ...Array<string>(8).fill('capped')]);
    expect(received().map(({ text }) => text)).toEqual(['0', '1', '2', '3']);
  });
});
