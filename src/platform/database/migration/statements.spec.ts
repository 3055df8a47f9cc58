import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../config/root.js';
import { inShort, statementsOf } from './statements.js';

it.each([
  ['select 1; select 2', ['select 1', 'select 2']],
  ['-- one; two\nselect 1; /* a; b */ ;', ['select 1']],
  [`insert into a values ('x;''y'); select ';'`, [`insert into a values ('x;''y')`, `select ';'`]],
  [`select e'it\\'s; so'; select 1`, [`select e'it\\'s; so'`, 'select 1']],
  ['select "a;b"', ['select "a;b"']],
  ['do $$ begin a; b; end $$; select 1', ['do $$ begin a; b; end $$', 'select 1']],
  ['do $x$ begin $$;$$; end $x$; select 1', ['do $x$ begin $$;$$; end $x$', 'select 1']],
  ['select $1; select $2', ['select $1', 'select $2']],
  ['', []],
])('splits %s', (sql, statements) => {
  expect(statementsOf(sql)).toEqual(statements);
});

it('loses nothing but comments and semicolons of our migrations', () => {
  const folder = join(root, 'prisma', 'migrations');
  const names = readdirSync(folder).filter((name) => /^\d/.test(name));
  expect(names.length).toBeGreaterThan(0);
  const letters = (text: string) => text.replace(/^\s*--.*$/gm, '').replace(/[\s;]/g, '');
  for (const name of names) {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    expect(letters(statementsOf(sql).join(';\n'))).toBe(letters(sql));
  }
});

it('shows a statement on one line', () => {
  expect(inShort('-- why\nalter table users\n  add a int')).toBe('alter table users add a int');
  expect(inShort('x'.repeat(200))).toBe(`${'x'.repeat(100)} ...`);
});
