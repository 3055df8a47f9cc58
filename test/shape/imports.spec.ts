import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../src/config/root.js';

const SRC = join(root, 'src');
const FEATURES = [
  'org',
  'channel',
  'user',
  'inbox',
  'distribution-list',
  'occurrence',
  'event',
  'api-key',
  'audit',
  'system',
];

// What each folder may import from, beside itself. An arrow only points downwards.
const MAY_IMPORT: Record<string, string[]> = {
  common: [],
  config: ['common'],
  generated: [],
  prisma: ['config', 'generated'],
  queue: ['prisma', 'config', 'common'],
  dispatcher: ['common', 'config'],
  auth: ['prisma', 'common', 'config', 'generated'],
  ...Object.fromEntries(FEATURES.map((feature) => [feature, ['auth', 'prisma', 'common', 'config', 'generated']])),
  notification: ['config'],
  watch: ['prisma', 'queue', 'common', 'config'],
  pipeline: ['dispatcher', 'notification', 'queue', 'prisma', 'watch', 'common', 'config'],
  provisioning: [
    'auth',
    'channel',
    'event',
    'org',
    'prisma',
    'common',
    'config',
    'dispatcher',
    'generated',
    'distribution-list',
    'notification',
    'user',
  ],
  contract: ['common', 'config', ''],
  cli: ['auth', 'common', 'prisma', 'config', 'provisioning', ''],
};
MAY_IMPORT.occurrence!.push('queue', 'pipeline', 'notification', 'dispatcher', 'watch');
MAY_IMPORT.channel!.push('dispatcher');
MAY_IMPORT.org!.push('dispatcher');
MAY_IMPORT['distribution-list']!.push('channel');
MAY_IMPORT.event!.push(
  'queue',
  'dispatcher',
  'occurrence',
  'pipeline',
  'notification',
  'watch',
  'channel',
  'distribution-list',
);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('generated'))
  .map((file) => join(SRC, file));

const folderOf = (file: string) => {
  const steps = relative(SRC, file).split(sep);
  return steps.length > 1 ? steps[0]! : '';
};

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path]) => resolve(dirname(file), path!));

it('keeps every import pointing down', () => {
  const upwards = files.flatMap((file) => {
    const folder = folderOf(file);
    if (folder === '') return [];
    return importsOf(file)
      .map(folderOf)
      .filter((target) => target !== folder && !(MAY_IMPORT[folder] ?? []).includes(target))
      .map((target) => `${relative(SRC, file)} imports from ${target || 'the top'}`);
  });
  expect(upwards).toEqual([]);
});

it('reads the environment in one place', () => {
  const readers = files
    .filter((file) => /process\.env/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(SRC, file));
  expect(readers.sort()).toEqual([
    'cli/apply.ts',
    'cli/carillon.ts',
    'config/config.ts',
    'prisma/postgres-binaries.ts',
  ]);
});
