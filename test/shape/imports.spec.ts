import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';

const SRC = join(root, 'src');

// The folders of src/ from the bottom up. A folder imports only from floors below its own, so there are no cycles.
// The folders of pipeline/ are rooms of their own; every other folder is one room together with its subfolders.
const FLOORS = `
  field generated
  http condition
  config template
  prisma secret render contract console
  quota unsubscribe cell
  auth dispatcher queue pipeline/purge
  deletion settings pipeline/erase
  org user channel inbox audit api-key session recipient-token system watch ruleset pipeline/outcome
  category preference distribution-list status-webhook context-schema preview explain suppression summary pipeline/steer pipeline/digest
  notification occurrence delivery recipient-page pipeline/deliver
  event progress revision pipeline/expand provisioning move
  simulate pipeline start
  cli
`
  .trim()
  .split('\n')
  .map((floor) => floor.trim().split(' '));

// What may not be imported even from a floor below: [folder, not allowed there, why].
const WALLS: [string, RegExp, string][] = [
  ['condition', /^(?!field$)/, 'is pure'],
  ['template', /^(?!(condition|field)$)/, 'is pure'],
  ['ruleset', /^(prisma|queue|http|auth)$/, 'decides without I/O'],
  ['dispatcher', /^(prisma|queue|http|auth)$/, 'knows no database and no request'],
  ['queue', /^(auth|http|dispatcher)$/, 'knows jobs only'],
];

// Services that another folder may use. Everything else reaches the database through a service of its own folder.
const SHARED_SERVICES = ['auth/scope.service', 'prisma/prisma.service'];
const SERVICE_USERS = new Set(['event context-schema', 'cli provisioning', 'start provisioning']);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('generated'))
  .map((file) => join(SRC, file));

const nameOf = (file: string) => relative(SRC, file).split(sep).join('/');

function roomOf(file: string): string {
  const folders = nameOf(file).split('/').slice(0, -1);
  return (folders[0] === 'pipeline' ? folders : folders.slice(0, 1)).join('/');
}

const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)].map(([, path]) => {
    const target = resolve(dirname(file), path!);
    return { file: nameOf(file), from: roomOf(file), target: nameOf(target), to: roomOf(target) };
  }),
);
const across = imports.filter(({ from, to }) => from !== to && from !== '');

const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

describe('imports', () => {
  it('point down', () => {
    // Only the start and the command line import the files at the top, and the contract the app it describes.
    const tops = ['cli', 'start', 'contract'];
    const wrong = across.filter(({ from, to }) => (to === '' ? !tops.includes(from) : floorOf(to) >= floorOf(from)));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('find a floor for every folder', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== ''));
    expect([...rooms, 'generated'].sort()).toEqual(FLOORS.flat().sort());
  });

  it.each(WALLS)('stop at the walls of %s', (room, forbidden, _why) => {
    const wrong = across.filter(({ from, to }) => from === room && forbidden.test(to));
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('leave the services of other folders alone', () => {
    const wrong = across.filter(
      ({ from, to, target }) =>
        target.endsWith('.service') && !SHARED_SERVICES.includes(target) && !SERVICE_USERS.has(`${from} ${to}`),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
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
    'cli/apply.ts',
    'cli/carillon.ts',
    'config/config.ts',
    'prisma/embedded/postgres-binaries.ts',
  ]);
});

it('opens every connection to PostgreSQL in one place, which gives it deadlines and keepalives', () => {
  const opens = files.filter((file) => /\bnew (Client|Pool)\(|\bextends Client\b/.test(readFileSync(file, 'utf8')));
  expect(opens.map(nameOf).sort()).toEqual([
    'prisma/connection/open-session.ts',
    'prisma/connection/session-client.ts',
  ]);
});
