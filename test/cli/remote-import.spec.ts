import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let env: Record<string, string>;
useAcme((acme) => {
  app = acme.app;
  env = { CARILLON_URL: app.url, CARILLON_KEY: acme.key };
});

const users = (org: string) => ['import', 'users', 'FILE', '--org', org, '--json'];
const staff = (org: string) => [
  'import',
  'members',
  'FILE',
  '--org',
  org,
  '--project',
  'shop',
  '--list',
  'staff',
  '--json',
];
const csv = ['--format', 'csv'];
const ndjson = ['--format', 'ndjson'];

interface Imported {
  done: Record<string, number>;
  refusals: { line: number; problem: string }[];
}

async function run(args: string[], more: Record<string, string>, file: string): Promise<Imported> {
  const { code, stdout, stderr } = await cli(args, more, file);
  expect([stderr, [0, 2].includes(code)]).toEqual(['', true]);
  return JSON.parse(stdout) as Imported;
}

const stored = async (org: string) =>
  (
    await app.pool.query(
      `select replace(email, $1, 'ORG') email, first_name, last_name, locked, custom_fields, u.time_zone, u.locale,
              (select json_agg(name || ' ' || value order by name, value) from addresses where user_id = u.id and name <> 'email') addresses
       from users u join organizations o on o.id = organization_id where slug = $1 order by email_key`,
      [org],
    )
  ).rows as object[];

const ROWS = (org: string) => `email,first_name,custom_fields.level,addresses,time_zone,locale
ann@${org}.test,,7,,Europe/Berlin,de
new@${org}.test,New,1,"[{""name"":""phone"",""value"":""+15550001111""}]",,pt-br
not an address,X,,,,
bob@${org}.test,Bobby,,,Mars/Base,
bob@${org}.test,Bob,,,,
ANN@${org}.test,Anna,8,,Europe/Berlin,de-AT
`;

it('imports users as the database way does: it merges custom fields, and refuses rows by their lines', async () => {
  const overHttp = await run([...users('acme'), ...csv], env, ROWS('acme'));
  const onDatabase = await run([...users('globex'), ...csv], { DATABASE_URL: app.databaseUrl }, ROWS('globex'));
  expect(await stored('acme')).toEqual(await stored('globex'));
  expect(overHttp.refusals.map(({ line }) => line)).toEqual([4, 5]);
  expect(overHttp.refusals).toEqual(onDatabase.refusals);
  expect(overHttp.done).toMatchObject({ created: 1, new_addresses: 1 });
  const { rows } = await app.pool.query(`select custom_fields from users where email_key = 'ann@acme.test'`);
  expect(rows).toEqual([{ custom_fields: { team: 'ops', level: '8' } }]);
});

it('checks a file without changing anything', async () => {
  const before = await stored('acme');
  const file = 'email,custom_fields.x\ndry@acme.test,1\nwrong,2\n';
  const { done, refusals } = await run([...users('acme'), ...csv, '--dry-run'], env, file);
  expect([done, refusals.map(({ line }) => line)]).toEqual([{ created: 1 }, [3]]);
  expect(await stored('acme')).toEqual(before);
});

it('imports more rows than one request holds', async () => {
  const lines = Array.from({ length: 2500 }, (_, i) => JSON.stringify({ email: `n${i}@many.test`, first_name: 'N' }));
  const { done, refusals } = await run([...users('acme'), ...ndjson], env, lines.join('\n'));
  expect([done, refusals]).toEqual([{ created: 2500 }, []]);
});

it('adds members to a list that exists, and to no other', async () => {
  const file =
    '"carl@acme.test"\n{"email":"ann@acme.test","active":false}\n{"email":"bob@acme.test","channel":"none"}\n5\n';
  const lists = ['organization:read', 'distributionlist:read', 'distributionlist:write'] as const;
  const key = await app.key({ org: 'acme', permissions: ['configuration:write', 'user:write', ...lists] });
  const { done, refusals } = await run([...staff('acme'), ...ndjson], { ...env, CARILLON_KEY: key }, file);
  expect(done).toMatchObject({ added: 1, updated: 1 });
  expect(new Set(refusals.map(({ line }) => line))).toEqual(new Set([3, 4]));
  const none = ['import', 'members', 'FILE', '--org', 'acme', '--project', 'shop', '--list', 'None', ...ndjson];
  expect(await cli(none, env, file)).toMatchObject({
    ...{ code: 1, stderr: 'carillon: there is no distribution list None in the project shop\n' },
  });
});

it('refuses a key of a project with the words of the service', async () => {
  const key = await app.key({ org: 'acme', project: 'shop' });
  const args = ['import', 'users', 'FILE', '--org', 'acme', ...csv];
  const { code, stderr } = await cli(args, { ...env, CARILLON_KEY: key }, 'email\nx@acme.test\n');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: The API key is bound to a project/)]);
});

it('needs no other permissions than to apply configurations and to write users', async () => {
  const key = await app.key({ org: 'acme', permissions: ['configuration:write', 'user:write'] });
  const file = 'email,custom_fields.x\nz@acme.test,1\n';
  const { done } = await run([...users('acme'), ...csv], { ...env, CARILLON_KEY: key }, file);
  expect(done).toEqual({ created: 1, merged_custom_fields: 1 });
});
