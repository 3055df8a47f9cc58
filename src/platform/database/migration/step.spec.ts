import { expect, it } from '@jest/globals';
import { stepOf } from './step.js';

it.each([
  ['create index concurrently a_idx on a (b)', 'a_idx', false],
  ['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a_idx"\n  ON "a"("b")', 'a_idx', false],
  ['drop index concurrently if exists a_idx', null, false],
  ['alter table a validate constraint a_check', null, false],
  [`comment on index a_idx is 'not in schema.prisma'`, null, false],
  ['update a set b = 1 where id in (select id from a where b is null limit 1000)', null, true],
])('takes %s', (sql, index, isRepeated) => {
  expect(stepOf(sql)).toEqual({ sql, index, isRepeated });
});

it.each([
  'create index a_idx on a (b)',
  'create index concurrently on a (b)',
  'drop index a_idx',
  'alter table a add c int',
  'vacuum full a',
])('refuses %s', (sql) => {
  expect(() => stepOf(sql)).toThrow(/^concurrently\.sql may .* but not: /);
});
