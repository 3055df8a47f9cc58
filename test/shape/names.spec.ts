import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';

const DECLARATION = /^export (?:declare )?(?:abstract )?(?:class|interface|type|enum) (\w+)/gm;

it('gives each exported type of src/ a name of its own', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('generated'),
  );
  const declared = new Map<string, string[]>();
  for (const file of files)
    for (const [, name] of readFileSync(join(root, 'src', file), 'utf8').matchAll(DECLARATION))
      declared.set(name!, [...(declared.get(name!) ?? []), file]);
  expect(declared.size).toBeGreaterThan(500);
  expect([...declared].filter(([, places]) => places.length > 1)).toEqual([]);
});
