import { expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { Directory } from '../../src/cell/directory/directory.js';
import { CELL_SECRET, cellDatabase } from '../support/app/cells.js';
import { cli } from '../support/app/cli.js';
import { createCrowd } from '../support/world/crowd.js';
import { differences, giveFinished } from '../support/world/moving.js';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

it.each([100_000, 1_000_000])('moves %d deliveries of history with a freeze below 10 s', async (deliveries) => {
  const databases = [await cellDatabase(0), await cellDatabase(1)] as const;
  const [source, target] = databases.map(({ url }) => url) as [string, string];
  const client = new Client({ connectionString: source });
  await client.connect();
  const pool = new Pool({ connectionString: source, max: 1 });
  try {
    await createCrowd(source, 'http://127.0.0.1:9/', 1000);
    await giveFinished(client, deliveries);
    const { rows } = await client.query<{ id: number }>('select id from organizations');
    await new Directory(pool).setCreated('crowd', rows[0]!.id, 0);
    const start = Date.now();
    const { code, stderr } = await cli(['move', 'crowd', '--to', '1'], {
      DATABASE_URL: source,
      CELL: '0',
      CELL_URL: 'http://127.0.0.1:9',
      CELL_SECRET,
      DIRECTORY_URL: source,
      TARGET_DATABASE_URL: target,
      TARGET_SECRET_KEY: SECRET_KEY,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('was frozen for')]);
    const frozenMs = Number(/frozen for (\d+) ms/.exec(stderr)![1]);
    const { rows: late } = await client.query<{ name: string }>(
      `select unnest(array['api_keys', 'jobs', 'digests', 'channel_states', 'signing_secrets']) "name"`,
    );
    const others = (await differences(source, target, rows[0]!.id)).filter(
      (text) => !late.some(({ name }) => text.startsWith(`${name} `)),
    );
    expect(others).toEqual([]);
    process.stderr.write(`${deliveries} deliveries: ${Date.now() - start} ms in all, ${frozenMs} ms frozen\n${stderr}`);
    expect(frozenMs).toBeLessThan(10_000);
  } finally {
    await pool.end();
    await client.end();
    for (const database of databases) await database.drop();
  }
});
