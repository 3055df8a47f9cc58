import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../../platform/config/root.js';
import { READERS } from '../report-readers.js';
import { KINDS_IN_CODE, reportKinds } from './reports-of.js';

const KINDS = /'(delayed|soft_bounced|delivered|seen|bounced|complained|stopped|resumed|answered)'/g;

const sourceOf = (reader: string): string =>
  ['report', 'sms']
    .flatMap((folder) =>
      [`${reader}.ts`, `${reader}-notice.ts`].map((name) => join(root, 'src/dispatcher', folder, name)),
    )
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

it.each(Object.keys(READERS))('the page names the kinds that the code of %s reports', (reader) => {
  const inCode = [...sourceOf(reader).matchAll(KINDS)].map(([, kind]) => kind!);
  expect([...(KINDS_IN_CODE[reader] ?? [])].sort()).toEqual([...new Set(inCode)].sort());
});

it('takes the kinds of a file that describes its reports from there', () => {
  expect(reportKinds({ kinds: { Delivery: 'delivered', Open: 'seen', Click: 'seen' } })).toEqual(['delivered', 'seen']);
  expect(reportKinds(undefined)).toEqual([]);
});
