import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { loadedBy } from '../support/app/loaded-by.js';
import { useAcme } from '../support/app/use.js';

let env: Record<string, string>;
useAcme(({ app, key }) => {
  env = { CARILLON_URL: app.url, CARILLON_KEY: key };
});

/** The libraries in the scripts of the build. */
function librariesIn(scripts: string[]): string[] {
  // The few lines of the bundler have no map.
  const built = scripts.filter((url) => url.includes('/dist/') && !url.includes('/rolldown-runtime-'));
  expect(built.some((url) => url.endsWith('/dist/main.js'))).toBe(true);
  const sources = built.flatMap((url) => {
    const map = JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as { sources: string[] };
    return map.sources;
  });
  const names = sources.map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

// A start of Nest and Prisma takes more than a second of CPU time; these commands take a quarter.
it.each([
  'trigger acme/shop/web/order-paid',
  'trigger acme/shop/web/order-paid --wait --timeout 0',
  'simulate acme/shop/web/order-paid',
  'explain acme/0197f3a0-5c1e-7d8e-9b1a-2f6d0c3b4a59',
  'tail acme --count 1',
  'user list acme',
  'user get acme/ann@acme.test',
  'channel test acme/quiet',
  'channel check acme/quiet',
  'key list',
  'key create --name x --all',
  'suppression list',
  'profile list',
  'completion bash',
  'trigger --help',
])('%s loads no library but those that read arguments and settings', async (command) => {
  expect(librariesIn(await loadedBy(command.split(' '), env))).toEqual(['commander', 'ipaddr.js']);
});

it('notices libraries: a command on the database loads that of PostgreSQL', async () => {
  const database = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
  expect(librariesIn(await loadedBy(['key', 'list'], database))).toContain('pg');
});
