import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryIndex, refreshDeliveryIndex } from '../../src/pipeline/purge/delivery-index.js';
import { Database } from '../../src/prisma/database.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { storeOccurrence } from '../support/world/occurrence.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const PEOPLE = 20_000;

it('the index of deliveries is kept up to date, and gives way to a vacuum', async () => {
  const tenant = await Tenant.create(app, {});
  const { id } = await storeOccurrence(app.pool, tenant.org, 1);
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    await client.query('alter table deliveries set (autovacuum_enabled = off)');
    await client.query(
      `insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select occurrence_id, organization_id, notification_id + n, channel_id, n, 'sent'
       from (select * from deliveries where occurrence_id = $1 limit 1) d, generate_series(1, ${PEOPLE}) n`,
      [id],
    );
    const index = new DeliveryIndex(app.app.get(Database));
    await client.query('begin; lock table deliveries in share update exclusive mode');
    expect(await index.summarize()).toBeNull();
    await client.query('commit');
    expect(await index.summarize()).toBeGreaterThan(50);
    expect(await index.summarize()).toBe(0);
    // What is made again is whole afterwards.
    for (let hour = 0; hour < 24; hour++) await refreshDeliveryIndex(client, hour * 3_600_000);
    expect(await index.summarize()).toBe(0);
  } finally {
    await client.end();
  }
});
