import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';

const SRC = join(root, 'src');

// The storeys of src/ from the bottom up. A file imports only from its own storey and from those below it.
const STOREYS = ['platform', 'dispatcher', 'auth', 'rules', 'engine', 'cell', 'api', 'operate'];

// Imports that are not allowed although they point down: [folder, what it must not import, why].
const WALLS: [string, RegExp, string][] = [
  ['rules/condition', /^(?!(rules\/condition|platform\/field)\/)/, 'is pure'],
  ['rules/template', /^(?!(rules\/(condition|template|language)|platform\/field)\/)/, 'is pure'],
  ['rules/language', /^(?!(rules\/(template|language)|platform\/field)\/)/, 'is pure'],
  ['rules/ruleset', /^(platform\/(database(?!\/generated)|queue|http)|auth)\//, 'decides without I/O'],
  ['dispatcher', /^(platform\/(database|queue|http)|auth)\//, 'knows neither database nor request'],
  ['platform/queue', /^platform\/http\//, 'knows jobs only'],
];

// Services that other folders may use. Everything else reaches the database through the service of its own folder.
const SHARED_SERVICES = ['auth/scope.service', 'platform/database/prisma.service'];
const SERVICE_USERS = new Set([
  'api/inbox api/occurrence',
  'api/recipient-page api/occurrence',
  'api/provider-report api/occurrence',
  'api/event api/context-schema',
  'api/schedule api/event',
  'operate/cli operate/provisioning',
  'operate/start operate/provisioning',
]);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes(`${sep}generated${sep}`))
  .map((file) => join(SRC, file));

const nameOf = (file: string) => relative(SRC, file).split(sep).join('/');
const storeyOf = (name: string) => (name.includes('/') ? name.split('/')[0]! : '');
const folderOf = (name: string) => name.split('/').slice(0, 2).join('/');

const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)].map(([, path]) => ({
    file: nameOf(file),
    target: nameOf(resolve(dirname(file), path!)),
  })),
);

const sentences = (wrong: typeof imports) => wrong.map(({ file, target }) => `${file} imports ${target}`);

/** Every chain of imports that leads back to its first file. */
function circles(): string[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), `${target}.ts`]);
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, chain: string[]): void => {
    if (chain.includes(file)) found.push([...chain.slice(chain.indexOf(file)), file].join(' > '));
    if (finished.has(file) || chain.includes(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...chain, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}

describe('imports', () => {
  it('know every storey of src/', () => {
    expect([...new Set(files.map((file) => storeyOf(nameOf(file))))].sort()).toEqual(['', ...STOREYS].sort());
  });

  it('never point to a storey above', () => {
    // Only the top storey imports the files at the root of src/, which put everything together.
    const rank = (name: string) => (storeyOf(name) === '' ? STOREYS.length - 1 : STOREYS.indexOf(storeyOf(name)));
    const wrong = imports.filter(({ file, target }) => storeyOf(file) !== '' && rank(target) > rank(file));
    expect(sentences(wrong)).toEqual([]);
  });

  it('never form a circle', () => {
    expect(circles()).toEqual([]);
  });

  it.each(WALLS)('stop at the walls of %s', (folder, forbidden, _why) => {
    const inside = imports.filter(({ file }) => file.startsWith(`${folder}/`));
    expect(inside.length).toBeGreaterThan(0);
    expect(sentences(inside.filter(({ target }) => forbidden.test(target)))).toEqual([]);
  });

  it('leave the services of other folders alone', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === to || file.endsWith('.module.ts') || !target.endsWith('.service')) return false;
      return !SHARED_SERVICES.includes(target) && !SERVICE_USERS.has(`${from} ${to}`);
    });
    expect(sentences(wrong)).toEqual([]);
  });
});

it('keeps every folder small enough to be seen at once', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(nameOf(file)), (counts.get(dirname(nameOf(file))) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 14)).toEqual([]);
});

it('reads the environment in one place', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(file, 'utf8'))).map(nameOf);
  expect(readers.sort()).toEqual([
    'operate/cli/apply.ts',
    'operate/cli/carillon.ts',
    'operate/cli/remote/options.ts',
    'operate/cli/remote/profile/profile-file.ts',
    'platform/config/config.ts',
    'platform/database/embedded/postgres-binaries.ts',
  ]);
});

it('opens every connection to PostgreSQL in one place, which gives it deadlines and keepalives', () => {
  const opens = files.filter((file) => /\bnew (Client|Pool)\(|\bextends Client\b/.test(readFileSync(file, 'utf8')));
  expect(opens.map(nameOf).sort()).toEqual([
    'platform/database/connection/open-session.ts',
    'platform/database/connection/session-client.ts',
  ]);
});
