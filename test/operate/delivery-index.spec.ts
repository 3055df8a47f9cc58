import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import { DeliveryIndex, refreshDeliveryIndex } from '../../src/engine/purge/delivery-index.js';
import { Database } from '../../src/platform/database/database.js';
import { PLANNER_SETTINGS } from '../../src/platform/database/planner-settings.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const PEOPLE = 20_000;
const HOUR_MS = 3_600_000;

interface PlanNode {
  'Index Name'?: string;
  'Lossy Heap Blocks'?: number;
  Plans?: PlanNode[];
}

/** How many pages of deliveries are read for one person, and how many deliveries are found. */
async function look(client: Client, user: number): Promise<{ pages: number; found: number }> {
  const sql = `from deliveries where user_id = ${user} and id > 0 and id <= 1000000 and status = 'sent'`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) select * ${sql}`,
  );
  const nodes = [rows[0]!['QUERY PLAN'][0].Plan];
  for (const node of nodes) nodes.push(...(node.Plans ?? []));
  expect(nodes.map((node) => node['Index Name'])).toContain('deliveries_of_user_idx');
  const counted = await client.query<{ count: number }>(`select count(*)::int count ${sql}`);
  return {
    pages: Math.max(...nodes.map((node) => node['Lossy Heap Blocks'] ?? 0)),
    found: counted.rows[0]!.count,
  };
}

it('the index of deliveries leads to a person, is kept up to date, and gives way to a vacuum', async () => {
  const tenant = await Tenant.create(app, {});
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    await client.query(PLANNER_SETTINGS);
    await client.query('alter table deliveries set (autovacuum_enabled = off)');
    const { rowCount } = await client.query(
      `with made as (
         insert into occurrences (id, organization_id, event_id, context, options)
         select $1, e.organization_id, e.id, '{}', '{}' from events e join organizations o on o.id = e.organization_id where o.slug = $2
         returning id, organization_id
       )
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select id, organization_id, n, 1, n, 'sent' from made, generate_series(1, ${PEOPLE}) n`,
      [uuidV7(), tenant.org],
    );
    expect(rowCount).toBe(PEOPLE);
    await client.query('analyze deliveries');
    const { pages: all } = await look(client, 777);
    expect(all).toBeGreaterThan(200);

    const index = new DeliveryIndex(app.app.get(Database));
    await client.query('begin; lock table deliveries in share update exclusive mode');
    expect(await index.summarize()).toBeNull();
    await client.query('commit');
    expect(await index.summarize()).toBeGreaterThan(50);
    expect(await index.summarize()).toBe(0);
    const { pages: few, found } = await look(client, 777);
    expect([few < all / 5, found]).toEqual([true, 1]);

    // The filters of pages that others have taken still lead to the person who is gone, until they are made again.
    await client.query('delete from deliveries where user_id = 777');
    await client.query('vacuum deliveries');
    expect((await look(client, 777)).pages).toBe(few);
    for (let hour = 0; hour < 24; hour++) await refreshDeliveryIndex(client, hour * HOUR_MS);
    expect((await look(client, 777)).pages).toBeLessThan(few);
    expect((await look(client, 778)).found).toBe(1);
    expect(await index.summarize()).toBe(0);
  } finally {
    await client.end();
  }
});
