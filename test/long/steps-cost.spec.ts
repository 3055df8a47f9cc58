import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

// By the clock, on a quiet machine.

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const USERS = Number(process.env.STEP_USERS ?? 100_000);
const PATIENCE_MS = 900_000;
const TIMEOUT_MS = 1_800_000;

const LOG = { slug: 'log', name: 'Log', type: 'log', config: {} };

/** So many users. */
const CROWD = `
  insert into users (organization_id, email, email_key)
  select o.id, email, email from organizations o, generate_series(1, $2::int) n, concat('user', n, '@acme.test') email where o.slug = $1`;

const count = async (sql: string, values: unknown[]) =>
  Number((await app.pool.query<{ count: string }>(`select count(*) from ${sql}`, values)).rows[0]!.count);

const waiting = (occurrence: string) =>
  count(`jobs where payload->>'occurrence' = $1 and (state <> 'scheduled' or run_at < now() + interval '1 minute')`, [
    occurrence,
  ]);

/** Milliseconds until nothing of an occurrence is left to be done now. */
async function timeOf(work: () => Promise<string>): Promise<{ id: string; ms: number }> {
  const began = performance.now();
  const id = await work();
  const isExpanded = async () => (await count(`occurrences where id = $1 and status = 'expanded'`, [id])) === 1;
  await until(PATIENCE_MS, async () => (await isExpanded()) && (await waiting(id)) === 0);
  return { id, ms: performance.now() - began };
}

it(
  'a step over 100,000 users of whom 90 % have read costs less than a quarter of a fan-out to all of them',
  async () => {
    const tenant = await Tenant.create(app, {
      channels: [inbox('app'), LOG],
      notifications: [
        {
          ...{ name: 'Tell', audience: { field: 'email', ends_with: '@acme.test' } },
          steps: [{ channels: ['app'] }, { after: '1d', unless: 'read', channels: ['log'] }],
          templates: ['app', 'log'].map((channel) => ({ channel, text: 'Hi {{ user.email }}' })),
        },
      ],
    });
    await app.pool.query(CROWD, [tenant.org, USERS]);
    await app.pool.query('vacuum analyze users');
    const { id, ms: first } = await timeOf(() => tenant.trigger());
    expect(await count('deliveries where occurrence_id = $1', [id])).toBe(USERS);
    // The same channel as the step, so that only the way to it differs.
    const { ms: fanOut } = await timeOf(() => tenant.trigger({}, { channels: ['log'] }));
    await app.pool.query(
      `update inbox_messages set seen_at = now(), read_at = now()
       where delivery_id in (select d.id from deliveries d where d.occurrence_id = $1 and d.user_id % 10 > 0)`,
      [id],
    );
    const day = `- interval '1 day 1 minute'`;
    const own = '(select id from deliveries where occurrence_id = $1)';
    await app.pool.query(`update attempts set at = at ${day} where delivery_id in ${own}`, [id]);
    await app.pool.query(`update deliveries set pending_since = pending_since ${day} where occurrence_id = $1`, [id]);
    await app.pool.query('vacuum analyze deliveries, attempts, inbox_messages');
    const { ms: step } = await timeOf(async () => {
      await app.pool.query(`update jobs set run_at = run_at ${day} where payload->>'occurrence' = $1`, [id]);
      return id;
    });
    const share = step / fanOut;
    process.stdout.write(
      `fan-out to ${USERS}: ${Math.round(first)} ms into the inbox, ${Math.round(fanOut)} ms over the channel of the step; ` +
        `the step: ${Math.round(step)} ms, ${(share * 100).toFixed(0)} % of that\n`,
    );
    expect(await count('deliveries where occurrence_id = $1', [id])).toBe(USERS + USERS / 10);
    expect(share).toBeLessThan(0.25);
  },
  TIMEOUT_MS,
);
