import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { sized } from '../support/long.js';
import { until } from '../support/until.js';

const SLOTS = 200;
const KILLS = sized(8, 20);
const PATIENCE_MS = 60_000;

let database: TestDatabase;
let pool: Pool;
let env: Record<string, string>;
let services: Service[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  env = { DATABASE_URL: database.url, LOG_LEVEL: 'info', ROLE: 'all' };
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')));
  await pool.end();
  await database.drop();
});

/** Each event has one slot in an hour, some minutes ago: it comes when the test says so. */
function fileOf(): string {
  const minute = (new Date().getUTCMinutes() + 50) % 60;
  const events = Array.from({ length: SLOTS }, (_, n) => ({
    ...{ slug: `report-${n}`, name: `Report ${n}` },
    schedule: { cron: `${minute} * * * *`, context: { n } },
  }));
  const applications = [{ slug: 'web', name: 'Web', events }];
  return JSON.stringify({
    organizations: [{ slug: 'acme', name: 'Acme', projects: [{ slug: 'shop', name: 'Shop', applications }] }],
  });
}

const COME = `
  update schedule_runs r set slot = r.slot - interval '1 hour' from events e
  where e.id = r.event_id and e.slug = any($1) and r.occurrence_id is null and r.skipped is null`;

const LEFT = `select count(*)::int "left" from schedule_runs where occurrence_id is null and skipped is null and slot <= now()`;

const start = () => Service.start(env);

it(`two processes that are killed ${KILLS} times run each of ${SLOTS} slots exactly once`, async () => {
  await Service.run(['apply', '-'], env, fileOf());
  services = await Promise.all([start(), start()]);
  const each = SLOTS / KILLS;
  for (let kill = 0; kill < KILLS; kill++) {
    const slugs = Array.from({ length: each }, (_, n) => `report-${kill * each + n}`);
    await pool.query(COME, [slugs]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1100));
    const victim = services.splice(Math.floor(Math.random() * services.length), 1)[0]!;
    await victim.stop('SIGKILL');
    services.push(await start());
  }
  await until(PATIENCE_MS, async () => (await pool.query<{ left: number }>(LEFT)).rows[0]!.left === 0);
  const { rows } = await pool.query<{ occurrences: number; runs: number; same: number; skipped: number }>(`
    select (select count(*)::int from occurrences) occurrences,
           (select count(distinct event_id)::int from occurrences) events,
           count(*) filter (where occurrence_id is not null)::int runs,
           count(o.id)::int same, count(skipped)::int skipped
    from schedule_runs r left join occurrences o on o.id = r.occurrence_id and o.event_id = r.event_id`);
  expect(rows[0]).toEqual({ occurrences: SLOTS, events: SLOTS, runs: SLOTS, same: SLOTS, skipped: 0 });
});
