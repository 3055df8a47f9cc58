import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { isLong } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { storeKey, withClient } from '../support/world/crowd.js';

// The guides in docs/, followed to the letter in one copy of the sources.
const readGuide = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const dispatcherGuide = readGuide('add-a-dispatcher.md');
const nounGuide = readGuide('add-a-noun.md');
const COPIED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'jest.config.mjs',
  'openapi.yaml',
];
const FOLDERS = ['src', 'prisma', 'scripts', 'test/support'];

let database: TestDatabase;
let copy: TestFolder;
let beacon: HttpSink;

beforeAll(async () => {
  [database, beacon] = await Promise.all([createDatabase(), HttpSink.start()]);
  copy = createFolder();
  for (const entry of [...COPIED, ...FOLDERS]) cpSync(join(root, entry), join(copy.path, entry), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'));
});
afterAll(async () => {
  await beacon.close();
  await database.drop();
  copy.remove();
});

interface Block {
  kind: string;
  file: string;
  text: string;
}

/** The code blocks that name a file, in order. */
const blocksOf = (guide: string): Block[] =>
  [...guide.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, kind, file, text]) => ({
    kind: kind!,
    file: file!,
    text: text!,
  }));

function follow({ kind, file, text }: Block): void {
  const path = join(copy.path, file);
  if (kind !== 'diff') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const lines = text.trimEnd().split('\n');
  const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = lines.map((line) => line.slice(1));
  const source = readFileSync(path, 'utf8');
  expect(source).toContain(before.join('\n'));
  writeFileSync(path, source.replace(before.join('\n'), after.join('\n')));
}

// Without the database of these tests: the copy has one more table.
const { TEST_POSTGRES_URL: _, ...env } = process.env;
const node = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: copy.path, env, encoding: 'utf8', stdio: 'pipe' });

const jest = (...args: string[]) => node(join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args);

it('the guides make a noun and a dispatcher that pass their own tests, and the dispatcher delivers', async () => {
  const [noun, dispatcher] = [blocksOf(nounGuide), blocksOf(dispatcherGuide)];
  expect([noun.length, dispatcher.length]).toEqual([12, 4]);
  [...noun, ...dispatcher].forEach(follow);
  const build = `
    const { buildService } = await import(process.cwd() + '/scripts/build.mjs');
    await buildService(process.cwd(), process.cwd() + '/dist');`;
  node('--input-type=module', '-e', build);
  cpSync(join(root, 'dist', 'console'), join(copy.path, 'dist', 'console'), { recursive: true });
  jest('src/dispatcher/beacon', 'test/api/label.spec.ts');
  if (isLong) node(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noEmit');

  const settings = { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8', BEACON_TOKEN: 'tk_secret' };
  await Service.run(['migrate'], settings, '', copy.path);
  await Service.run(['apply', '-'], settings, fileOf(beacon.url()), copy.path);
  const key = await withClient(database.url, (client) => storeKey(client, null));
  const service = await Service.start(settings, { home: copy.path });
  const path = '/api/o/acme/p/shop/a/web/e/order-paid/trigger/';
  await fetch(service.url + path, { method: 'POST', headers: { authorization: `Key ${key}` } });
  await until(15_000, () => beacon.requests.length === 1);
  await service.stop();
  expect(JSON.parse(beacon.requests[0]!.body)).toEqual({ topic: 'alerts', title: '', message: 'Hi ann@acme.test' });
});

/** A tenant that uses the channel of the guide's last block. */
function fileOf(url: string): string {
  const [, given] = /^```yaml\n([\s\S]*?)^```$/m.exec(dispatcherGuide)!;
  const indented = given!.replace('https://beacon.acme.test', url).replace(/^/gm, '    ');
  return `
organizations:
  - slug: acme
    name: Acme
${indented.trimEnd()}
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff, members: [ann@acme.test] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: order-paid
                name: Order paid
                notifications:
                  - { name: Tell, distribution_list: Staff, templates: [{ channel: push, text: 'Hi {{ user.email }}' }] }
`;
}
