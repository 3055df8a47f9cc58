import { expect, it } from '@jest/globals';
import { sqlArray } from './transaction.js';

it.each([
  [[], '{}'],
  [['ann@acme.test', 'Ann-Lee_2+x'], '{ann@acme.test,Ann-Lee_2+x}'],
  [[null, 'null', 'NULL', ''], '{null,"null","NULL",""}'],
  [['a,b', '{x}', 'two words', '\n', "O'Neil"], `{"a,b","{x}","two words","\n","O'Neil"}`],
  [['"', '\\', '{"a":"\\"b"}'], '{"\\"","\\\\","{\\"a\\":\\"\\\\\\"b\\"}"}'],
  [[true, false, 7, null], '{true,false,7,null}'],
])('writes %j as PostgreSQL writes an array', (values, text) => {
  expect(sqlArray(values)).toBe(text);
});
