import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let key: string;
/** A machine that knows the service, and no database. */
let env: Record<string, string>;
useAcme((acme) => {
  ({ app, key } = acme);
  env = { CARILLON_URL: app.url, CARILLON_KEY: key };
});

const ok = async (args: string[], file?: string): Promise<string> => {
  const { code, stdout, stderr } = await cli(args, env, file);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const rows = async (sql: string) => (await app.pool.query<object>(sql)).rows;
const ACME = `(select id from organizations where slug = 'acme')`;
const LIST = ['--org', 'acme', '--project', 'shop', '--list', 'staff'];

const users = (org = 'acme') =>
  rows(`select email, first_name, last_name, locked, custom_fields, u.time_zone, u.quiet_hours, u.locale,
               (select json_agg(name || ' ' || value order by a.id) from addresses a where user_id = u.id) addresses
        from users u join organizations o on o.id = organization_id where slug = '${org}' order by email_key`);

const members = () =>
  rows(`select u.email, c.slug channel, active from members m join users u on u.id = m.user_id
        join distribution_lists l on l.id = m.list_id left join channels c on c.id = m.channel_id
        where m.organization_id = ${ACME} and l.name_key = 'staff' order by u.email_key`);

const SPECIAL = [
  {
    email: 'full@acme.test',
    first_name: 'Zoë "Z", Ray',
    last_name: '=1+1',
    locked: true,
    time_zone: 'Europe/Berlin',
    locale: 'de-AT',
  },
  { email: 'json@acme.test', custom_fields: { level: 7, tags: ['a', { deep: null }], text: 'line\nbreak' } },
  {
    email: 'reach@acme.test',
    addresses: [
      { name: 'phone', value: '+15550002222' },
      { name: 'phone', value: '+15550001111' },
    ],
    quiet_hours: [{ days: ['sat'], from: '08:00', to: '20:00' }],
  },
  { email: 'awake@acme.test', quiet_hours: [] },
];

it.each(['csv', 'ndjson'])(
  'exports users as %s over several pages, and imports the same users again',
  async (format) => {
    const special = SPECIAL.map((user) => JSON.stringify(user)).join('\n');
    await ok(['import', 'users', 'FILE', '--org', 'acme', '--format', 'ndjson'], special);
    await app.pool.query(
      `with u as (insert into users (organization_id, email, email_key, first_name, last_name)
                select ${ACME}, 'many' || n || '@acme.test', 'many' || n || '@acme.test', 'Many', '' from generate_series(1, 1200) n
                on conflict do nothing returning id, email)
     insert into addresses (organization_id, user_id, name, value) select ${ACME}, id, 'email', email from u`,
    );
    const before = await users();
    expect(before.length).toBeGreaterThan(1200);
    const file = await ok(['export', 'users', '--org', 'acme', '--format', format]);
    const copy = `copy-${format}`;
    await cli(['apply', 'FILE'], { DATABASE_URL: app.databaseUrl }, `organizations: [{ slug: ${copy}, name: Copy }]`);
    const other = ['--key', await app.key({ org: copy }), '--url', app.url];
    await ok(['import', 'users', 'FILE', '--org', copy, '--format', format, ...other], file);
    expect(await users(copy)).toEqual(before);
  },
);

it('exports members with their own channels, and imports the same members again', async () => {
  // The slug of this channel is also a kind of address, which a member without a chosen channel shows instead.
  const channel = { slug: 'email', name: 'E-mail', type: 'log' };
  await app.as(key).post('/api/o/acme/p/shop/c/').send(channel).expect(201);
  const given = [
    ...[
      '"plain@acme.test"',
      '{"email":"chosen@acme.test","channel":"email"}',
      '{"email":"off@acme.test","active":false}',
    ],
    '{"email":"both@acme.test","channel":"quiet","active":false}',
  ].join('\n');
  await ok(['import', 'members', 'FILE', ...LIST, '--format', 'ndjson'], given);
  const before = await members();
  expect(before).toEqual(
    expect.arrayContaining([
      { email: 'plain@acme.test', channel: null, active: true },
      { email: 'chosen@acme.test', channel: 'email', active: true },
      { email: 'both@acme.test', channel: 'quiet', active: false },
    ]),
  );
  for (const format of ['csv', 'ndjson']) {
    const file = await ok(['export', 'members', ...LIST, '--format', format]);
    await app.pool.query(`delete from members where organization_id = ${ACME}`);
    await ok(['import', 'members', 'FILE', ...LIST, '--format', format], file);
    expect(await members()).toEqual(before);
  }
});

it('exports the rows that the database way exports', async () => {
  const lines = (text: string) => text.split(/\r?\n/).sort();
  for (const args of [
    ['export', 'users', '--org', 'acme'],
    ['export', 'members', ...LIST, '--json'],
  ]) {
    const { stdout } = await cli(args, { DATABASE_URL: app.databaseUrl });
    expect(lines(await ok(args)).map(sortedAddresses)).toEqual(lines(stdout).map(sortedAddresses));
  }
});

/** The database way orders the addresses of a user by their values. */
const sortedAddresses = (line: string) => line.split(/(?<=\}),(?=\{)|[[\]]/).sort();

it('refuses a key without the permission, and of a project, with the words of the API', async () => {
  const words = async (other: string) =>
    ((await app.as(other).get('/api/o/acme/users/')).body as { detail: string }).detail;
  for (const other of [
    await app.key({ org: 'acme', permissions: ['organization:read'] }),
    await app.key({ org: 'acme', project: 'shop' }),
  ]) {
    const refused = await cli(['export', 'users', '--org', 'acme'], { ...env, CARILLON_KEY: other });
    expect(refused).toEqual({ code: 1, stdout: '', stderr: `carillon: ${await words(other)}\n` });
  }
  const none = ['export', 'members', ...LIST.slice(0, 4), '--list', 'None'];
  expect(await cli(none, env)).toMatchObject({
    ...{ code: 1, stderr: 'carillon: there is no distribution list None in the project shop\n' },
  });
});
