import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';

let app: TestApp;
let folder: TestFolder;
let env: Record<string, string>;

const ACME = `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: mail, name: Mail, type: log }]
    projects: [{ slug: shop, name: Shop, distribution_lists: [{ name: Staff }] }]
`;
const STAFF = ['--org', 'acme', '--project', 'shop', '--list', 'staff'];

beforeAll(async () => {
  app = await TestApp.start();
  env = { DATABASE_URL: app.databaseUrl };
});
afterAll(() => app.stop());
beforeEach(async () => {
  folder = createFolder();
  await app.empty();
  await app.apply(ACME);
});
afterEach(() => folder.remove());

const put = (name: string, text: string): string => {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
};

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(args, env);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const users = async () =>
  (
    await app.pool.query<Record<string, unknown>>(
      `select email, first_name, last_name, locked, custom_fields,
         array(select name || '=' || value from addresses a where a.user_id = u.id order by 1) addresses
       from users u order by email_key`,
    )
  ).rows;

describe('users', () => {
  it('come from CSV: created, updated where the file says so, and the same the second time', async () => {
    const file = put(
      'people.csv',
      '\ufeffemail,first_name,locked,custom_fields.team,address.phone\r\n' +
        'Ann@acme.test,"Ann ""A"", Lee",,ops,+1 555 123 4567\r\n' +
        '\r\n' +
        'bob@acme.test,,true,,\r\n',
    );
    expect(await run('import', 'users', file, '--org', 'acme')).toBe('2 created, 0 updated, 1 new addresses\n');
    expect(await users()).toEqual([
      {
        ...{ email: 'Ann@acme.test', first_name: 'Ann "A", Lee', last_name: '', locked: false },
        ...{ custom_fields: { team: 'ops' }, addresses: ['email=Ann@acme.test', 'phone=+15551234567'] },
      },
      {
        ...{ email: 'bob@acme.test', first_name: '', last_name: '', locked: true },
        ...{ custom_fields: {}, addresses: ['email=bob@acme.test'] },
      },
    ]);
    expect(await run('import', 'users', file, '--org', 'acme')).toBe('0 created, 0 updated, 0 new addresses\n');
    const changed = put('more.csv', 'email;last_name;custom_fields.city\nann@acme.test;Lee;Bern\n');
    expect(await run('import', 'users', changed, '--org', 'acme', '--delimiter', ';')).toBe(
      '0 created, 1 updated, 0 new addresses\n',
    );
    expect((await users())[0]).toMatchObject({
      ...{ first_name: 'Ann "A", Lee', last_name: 'Lee', locked: false },
      custom_fields: { team: 'ops', city: 'Bern' },
    });
  });

  it('come from NDJSON, and rows that are refused are named and keep no other out', async () => {
    const rows = [
      '{"email":"ann@acme.test","custom_fields":{"age":40},"addresses":[{"name":"phone","value":"+1 555 1234567"}]}',
      '{"email":"not one"}',
      'no json',
      '',
      '{"email":"bob@acme.test","addresses":[{"name":"phone","value":"12"}]}',
      '{"email":"eve@acme.test","colour":"red"}',
      '{"email":"nul@acme.test","first_name":"a\\u0000b"}',
      '["x"]',
      '{"email":"zoe@acme.test"}',
    ];
    const { code, stdout, stderr } = await cli(
      ['import', 'users', put('people.ndjson', rows.join('\n')), '--org', 'acme'],
      env,
    );
    expect([code, stdout]).toEqual([2, '2 created, 0 updated, 1 new addresses\n']);
    expect(stderr.split('\n')).toEqual([
      '6 rows were refused, the others were imported:',
      'line 2: email: must be an e-mail address of at most 254 characters, such as ann@example.com',
      'line 3: is not valid JSON',
      'line 5: addresses[0].value: must be an international phone number: + and 7 to 15 digits',
      'line 6: colour: is not a known field. Known: addresses, email, first_name, last_name, custom_fields, locked, time_zone, quiet_hours, locale',
      'line 7: must not hold a NUL character',
      'line 8: must be a JSON object',
      '',
    ]);
    expect((await users()).map(({ email }) => email)).toEqual(['ann@acme.test', 'zoe@acme.test']);
  });

  it.each([
    ['name\nAnn\n', 'line 1: unknown column "name": use email, first_name,'],
    ['first_name\nAnn\n', 'line 1: the column email is missing'],
    ['email,email\na@x.test,b@x.test\n', 'line 1: a column is listed twice'],
    [
      'email,custom_fields,custom_fields.a\n',
      'line 1: custom_fields is listed as a whole and in parts: use one of them',
    ],
    ['email,constructor\na@x.test,b\n', 'line 1: unknown column "constructor"'],
    ['email\n"a@x.test\n', 'the file is not valid CSV: '],
  ])('refuse the file %j as a whole', async (text, sentence) => {
    const { code, stderr } = await cli(['import', 'users', put('p.csv', text), '--org', 'acme'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(await users()).toEqual([]);
  });

  it.each([
    ['email,locked\nann@acme.test,maybe\n', 'line 2: locked must be true or false'],
    ['email,custom_fields\nann@acme.test,{\n', 'line 2: custom_fields must be JSON'],
    ['email\nann@acme.test,more\n', 'line 2: has 2 cells, but the header has 1'],
    ['email,first_name\n"ann@acme.test","two\nlines"\nnope,\n', 'line 4: email: must be an e-mail address'],
  ])('refuse a row of %j', async (text, sentence) => {
    const { code, stderr } = await cli(['import', 'users', put('p.csv', text), '--org', 'acme'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('are not changed by a dry run, nor where there is nothing to change them in', async () => {
    const file = put('p.csv', 'email\nann@acme.test\n');
    expect(await run('import', 'users', file, '--org', 'acme', '--dry-run')).toBe(
      '1 created, 0 updated, 0 new addresses\nnothing was changed (dry run)\n',
    );
    const json = await run('import', 'users', file, '--org', 'acme', '--dry-run', '--json');
    expect(JSON.parse(json)).toEqual({
      ...{ dry_run: true, refused: 0, refusals: [] },
      done: { created: 1, updated: 0, new_addresses: 0 },
    });
    for (const [args, sentence] of [
      [['import', 'users', file, '--org', 'none'], 'there is no organization none'],
      [['import', 'users', join(folder.path, 'none.csv'), '--org', 'acme'], 'cannot read '],
      [['import', 'users', put('p.txt', ''), '--org', 'acme'], 'add --format csv or --format ndjson'],
      [['import', 'members', file, ...STAFF.slice(0, -1), 'none'], 'there is no distribution list none'],
      [['export', 'users', '--org', 'none'], 'there is no organization none'],
    ] as const) {
      const { code, stderr } = await cli([...args], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    }
    expect(await users()).toEqual([]);
  });

  it.each(['csv', 'ndjson'])('go out as %s and come back the same', async (format) => {
    const rows = [
      { email: 'ann@acme.test', first_name: 'Ann, "A"', custom_fields: { a: [1, 'x,y'], b: null } },
      { email: 'bob@acme.test', locked: true, addresses: [{ name: 'phone', value: '+15551234567' }] },
      { email: '-dan@acme.test', first_name: '=HYPERLINK("http://x.test")', last_name: "'+1" },
      { email: 'eve@acme.test', last_name: ' two\nlines; "x" \u2028 \u2029' },
    ];
    const file = put('p.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
    await run('import', 'users', file, '--org', 'acme');
    const before = await users();
    const target = join(folder.path, `out.${format}`);
    await run('export', 'users', '--org', 'acme', '--format', format, '--out', target);
    expect(await run('import', 'users', target, '--org', 'acme')).toBe('0 created, 0 updated, 0 new addresses\n');
    // No cell of a spreadsheet starts a formula.
    if (format === 'csv') expect(readFileSync(target, 'utf8')).toMatch(/^'-dan@acme.test,"'=HYPERLINK\(.*\)",''\+1,/m);
    await app.pool.query('delete from users');
    await run('import', 'users', target, '--org', 'acme');
    expect(await users()).toEqual(before);
    expect(await run('export', 'users', '--org', 'acme', '--format', format)).toBe(readFileSync(target, 'utf8'));
  });
});

describe('members', () => {
  const members = async () =>
    (
      await app.pool.query<Record<string, unknown>>(
        `select u.email, c.slug channel, m.active from members m join users u on u.id = m.user_id
         left join channels c on c.id = m.channel_id order by u.email`,
      )
    ).rows;

  it('are added to a list, with what the file says of them, and go out again', async () => {
    const file = put('m.csv', 'email,channel,active\nann@acme.test,,\nbob@acme.test,mail,false\nx@acme.test,none,\n');
    const { code, stdout, stderr } = await cli(['import', 'members', file, ...STAFF], env);
    expect([code, stdout, stderr]).toEqual([
      2,
      '2 added, 1 updated, 2 new users\n',
      '1 row was refused, the others were imported:\nline 4: channel: there is no channel none\n',
    ]);
    const added = [
      { email: 'ann@acme.test', channel: null, active: true },
      { email: 'bob@acme.test', channel: 'mail', active: false },
    ];
    expect(await members()).toEqual(added);
    const csv = await run('export', 'members', ...STAFF);
    expect(csv).toBe('email,channel,active\r\nann@acme.test,,\r\nbob@acme.test,mail,false\r\n');
    expect(await run('export', 'members', ...STAFF, '--format', 'ndjson')).toBe(
      '"ann@acme.test"\n{"email":"bob@acme.test","channel":"mail","active":false}\n',
    );
    await app.pool.query('delete from members');
    expect(await run('import', 'members', put('back.csv', csv), ...STAFF)).toBe('2 added, 1 updated, 0 new users\n');
    expect(await members()).toEqual(added);
  });
});
