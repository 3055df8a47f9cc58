import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../../test/support/app.js';
import { Database } from './database.js';
import type { StreamOptions } from './database.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

async function rows(text: string, options: StreamOptions): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of app.app.get(Database).stream({ text, values: [] }, options)) all.push(row);
  return all;
}

describe('a stream', () => {
  it('whose first rows do not come in time is canceled, as any statement is', async () => {
    const reading = rows('select pg_sleep(20)', { firstWithinMs: 50 });
    await expect(reading).rejects.toMatchObject({ code: '57014' });
  });

  it('that has begun takes its time', async () => {
    const slow = 'select n, pg_sleep(case n when 1 then 0 else 0.2 end) from generate_series(1, 3) n';
    expect(await rows(slow, { atOnce: 1, firstWithinMs: 100 })).toHaveLength(3);
  });

  it('fetches so many rows at once', async () => {
    await app.pool.query('create sequence fetched');
    const sql = { text: `select nextval('fetched') from generate_series(1, 10)`, values: [] };
    const stream = app.app.get(Database).stream(sql, { atOnce: 3 });
    await stream.next();
    const { rows: found } = await app.pool.query('select last_value::int from fetched');
    await stream.return(undefined);
    expect(found).toEqual([{ last_value: 3 }]);
  });
});
