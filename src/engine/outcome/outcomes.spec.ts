import { expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { Outcomes } from './outcomes.js';
import { undeliverable } from './result.js';

/** A database that fails with this code, more often than in a minute, and then works. */
function failing(code: string) {
  const writes: unknown[][] = [];
  let failures = 300;
  const query = (_: string, __: string, values: unknown[][]) => {
    if (failures-- > 0) return Promise.reject(Object.assign(new Error('no'), { code }));
    writes.push(values[0]!);
    return Promise.resolve({ rows: [] });
  };
  return { writes, outcomes: new Outcomes({ query } as unknown as Database, [], 0) };
}

it.each(['53100', '25006', '57P03', 'ECONNREFUSED'])(
  'an outcome outlasts an outage of the database (%s)',
  async (code) => {
    const { outcomes, writes } = failing(code);
    await outcomes.add(undeliverable('7', 0, 'no'));
    expect(writes).toEqual([['7']]);
  },
);

it('an outcome that the database refuses for another reason is given up', async () => {
  const { outcomes, writes } = failing('42703');
  await expect(outcomes.add(undeliverable('7', 0, 'no'))).rejects.toMatchObject({ code: '42703' });
  expect(writes).toEqual([]);
});
