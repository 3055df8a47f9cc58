import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryIndex, refreshDeliveryIndex } from '../../src/pipeline/purge/delivery-index.js';
import { PLANNER_SETTINGS } from '../../src/prisma/on-connect.js';
import { Database } from '../../src/prisma/database.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { storeOccurrence } from '../support/world/occurrence.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const PEOPLE = 20_000;
const FIND =
  "select count(*)::int count from deliveries where user_id = 777 and id > 0 and id <= 1000000000 and status = 'sent'";

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}
interface PlanNode {
  'Index Name'?: string;
  'Lossy Heap Blocks'?: number;
  Plans?: PlanNode[];
}

it('is kept up to date, and gives way to a vacuum', async () => {
  const tenant = await Tenant.create(app, {});
  const { id } = await storeOccurrence(app.pool, tenant.org, 1);
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  // In a table of this size, PostgreSQL prefers other indexes.
  await client.query(`${PLANNER_SETTINGS}; set enable_indexscan = off; set enable_indexonlyscan = off`);
  const pagesRead = async () => {
    const { rows } = await client.query<Explained>(`explain (analyze, format json) ${FIND}`);
    const nodes: PlanNode[] = [rows[0]!['QUERY PLAN'][0].Plan];
    for (const node of nodes) nodes.push(...(node.Plans ?? []));
    expect(nodes.map((node) => node['Index Name'])).toContain('deliveries_of_user_idx');
    return Math.max(...nodes.map((node) => node['Lossy Heap Blocks'] ?? 0));
  };
  try {
    await client.query('drop index deliveries_occurrence_id_notification_id_channel_id_user_id_key');
    await client.query('alter table deliveries set (autovacuum_enabled = off)');
    await client.query(
      `insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select occurrence_id, organization_id, notification_id + n, channel_id, n, 'sent'
       from (select * from deliveries where occurrence_id = $1 limit 1) d, generate_series(1, ${PEOPLE}) n`,
      [id],
    );
    await client.query('analyze deliveries');
    const whole = await pagesRead();
    expect(whole).toBeGreaterThan(200);

    const index = new DeliveryIndex(app.app.get(Database));
    await client.query('begin; lock table deliveries in share update exclusive mode');
    expect(await index.summarize()).toBeNull();
    await client.query('commit');
    expect(await index.summarize()).toBeGreaterThan(50);
    expect(await index.summarize()).toBe(0);
    const few = await pagesRead();
    expect(few).toBeLessThan(whole / 5);

    // Others take the pages. Their summaries still have everyone who was there.
    await client.query('update deliveries set user_id = user_id + 1000000 where notification_id > 1');
    for (let hour = 0; hour < 24; hour++) await refreshDeliveryIndex(client, hour * 3_600_000);
    expect((await client.query<{ count: number }>(FIND)).rows[0]!.count).toBe(0);
    expect(await index.summarize()).toBe(0);
    const again = FIND.replace('777', '1000777');
    expect((await client.query<{ count: number }>(again)).rows[0]!.count).toBe(1);
  } finally {
    await client.end();
  }
});
