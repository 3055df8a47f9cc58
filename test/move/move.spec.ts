import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { sealAll } from '../../src/platform/audit/seal-entries.js';
import { Directory } from '../../src/cell/directory/directory.js';
import { openConfig, sealConfig } from '../../src/dispatcher/channel-config.js';
import { Side } from '../../src/operate/move/side.js';
import { SecretBox } from '../../src/platform/secret/secret-box.js';
import { CELL_SECRET, cellDatabase } from '../support/app/cells.js';
import { cli } from '../support/app/cli.js';
import type { TestDatabase } from '../support/app/database.js';
import { createCrowd } from '../support/world/crowd.js';
import { differences, giveFinished } from '../support/world/moving.js';

const KEYS = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
const FIELDS = [{ key: 'secret', label: 'Secret', kind: 'string', required: false, secret: true }] as const;
const DELIVERIES = 3000;

let databases: [TestDatabase, TestDatabase];
let directoryPool: Pool;
let directory: Directory;
let clients: [Client, Client];
let organization: number;
let env: Record<string, string>;

beforeAll(async () => {
  databases = [await cellDatabase(0), await cellDatabase(2)];
  clients = databases.map(({ url }) => new Client({ connectionString: url })) as [Client, Client];
  for (const client of clients) await client.connect();
  await createCrowd(databases[0].url, 'http://127.0.0.1:9/', 50);
  const [source] = clients;
  organization = (await one<{ id: number }>(source, 'select id from organizations')).id;
  const place = { organizationId: organization, projectId: null, slug: 'hook' };
  const config = sealConfig(FIELDS, { url: 'http://127.0.0.1:9/', secret: 'whsec_1' }, place, new SecretBox(KEYS[0]!));
  await source.query('update channels set config = $1', [config]);
  await source.query(
    `insert into jobs (task, organization_id, state, run_at, payload) values ('deliver', $1, 'scheduled', now() + interval '1 hour', '{}')`,
    [organization],
  );
  await source.query(
    `with file as (insert into files (id, organization_id, sha256, size, logo_since) values (gen_random_uuid(), $1, '\\x01', 1, now()) returning *)
     update organizations set logo = jsonb_build_object('sha256', encode(file.sha256, 'hex')) from file where organizations.id = file.organization_id`,
    [organization],
  );
  await giveFinished(source, DELIVERIES);
  await source.query('set session_replication_role = origin');
  directoryPool = new Pool({ connectionString: databases[0].url, max: 1 });
  directory = new Directory(directoryPool);
  await directory.setCreated('crowd', organization, 0);
  env = {
    DATABASE_URL: databases[0].url,
    CELL: '0',
    CELL_URL: 'http://127.0.0.1:9',
    CELL_SECRET,
    DIRECTORY_URL: databases[0].url,
    TARGET_DATABASE_URL: databases[1].url,
    TARGET_SECRET_KEY: KEYS[1]!.toString('base64'),
  };
});
afterAll(async () => {
  await directoryPool.end();
  for (const client of clients) await client.end();
  for (const database of databases) await database.drop();
});

async function one<Row>(client: Client, sql: string, values: unknown[] = []): Promise<Row> {
  return (await client.query(sql, values)).rows[0] as Row;
}

const count = async (client: Client, table: string) =>
  (await one<{ count: number }>(client, `select count(*)::int from ${table}`)).count;

async function refused(args: string[], more: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await cli(['move', ...args], { ...env, ...more });
  expect(code).toBe(1);
  return stderr.trim().split('\n').at(-1)!;
}

describe('a move', () => {
  it('is refused with the reason', async () => {
    expect(await refused(['nobody', '--to', '2'])).toContain('cell 0 has no organization nobody');
    expect(await refused(['crowd', '--to', '0'])).toContain('the same cell');
    expect(await refused(['crowd', '--to', '2'], { TARGET_DATABASE_URL: '' })).toContain(
      'TARGET_DATABASE_URL is missing: set it to the DATABASE_URL of the cell',
    );
    expect(await refused(['crowd', '--to', '2'], { TARGET_SECRET_KEY: '' })).toContain('TARGET_SECRET_KEY is missing');
    expect(await refused(['crowd', '--to', '3'])).toContain('is the database of cell 2, not of cell 3');
    expect(await refused(['crowd', '--to', '1', '--undo'])).toContain('of cell 2, not of cell 1');
    expect(await refused(['crowd', '--to', '2', '--undo'])).toContain('no move of crowd has begun');
    expect(await refused(['crowd', '--to', '2', '--finish'])).toContain('crowd has not moved yet');
    const other = { DATABASE_URL: databases[1].url, CELL: '2', TARGET_DATABASE_URL: databases[0].url };
    expect(await refused(['crowd', '--to', '0'], other)).toContain('cell 2 has no organization crowd');
  });

  it('is refused if the target has the slug, or lacks a migration', async () => {
    const [, target] = clients;
    await target.query(`insert into organizations (slug, name) values ('crowd', 'Another')`);
    expect(await refused(['crowd', '--to', '2'])).toContain('the target has an organization crowd already');
    await target.query(
      `insert into channels (organization_id, slug, name, type, config) select id, 'c', 'C', 'webhook', $1 from organizations`,
      [sealConfig(FIELDS, { secret: 's' }, { organizationId: 1, projectId: null, slug: 'c' }, new SecretBox(KEYS[0]!))],
    );
    await target.query(`update organizations set slug = 'another'`);
    expect(await refused(['crowd', '--to', '2'])).toContain('TARGET_SECRET_KEY is not the SECRET_KEY of the target');
    await target.query('delete from organizations');
    const { name, checksum } = await one<{ name: string; checksum: string }>(
      target,
      `delete from _carillon_migrations where migration_name like '%_baseline' returning migration_name "name", checksum`,
    );
    expect(await refused(['crowd', '--to', '2'])).toContain(`the target lacks the migration ${name}`);
    await target.query(
      `insert into _carillon_migrations (id, checksum, migration_name, finished_at) values ('again', $1, $2, now())`,
      [checksum, name],
    );
  });

  it('is refused while another command moves', async () => {
    const [source] = clients;
    await source.query(
      `insert into moves (id, organization_id, slug, source, target, phase) values (gen_random_uuid(), 99, 'other', 0, 2, 'copying')`,
    );
    expect(await refused(['crowd', '--to', '2'])).toContain('the organization other is moving to cell 2');
    await source.query('delete from moves');
  });

  it('waits in vain for a job that does not end, works on, and can be undone', async () => {
    const [source, target] = clients;
    await source.query(`update jobs set state = 'running', worker = 1`);
    expect(await refused(['crowd', '--to', '2', '--patience', '0'])).toContain('it works on in cell 0');
    expect(await directory.place('crowd')).toMatchObject({ cell: 0, state: 'here' });
    expect([await count(source, 'organization_freezes'), await count(target, 'deliveries')]).toEqual([0, DELIVERIES]);
    expect(await refused(['crowd', '--to', '1'])).toContain('TARGET_DATABASE_URL is the database of cell 2');
    const { code, stdout } = await cli(['move', 'crowd', '--to', '2', '--undo'], env);
    expect([code, stdout]).toEqual([0, 'the move of crowd is undone\n']);
    for (const table of ['deliveries', 'attempts', 'messages', 'organizations', 'organization_freezes'])
      expect([table, await count(target, table)]).toEqual([table, 0]);
    const entries = 'select count(*)::int from audit_entries where organization_id = $1';
    expect(await one(target, entries, [organization])).toEqual({ count: 0 });
    const triggers = `select count(*)::int from pg_trigger where tgname like 'move_note%'`;
    expect(await one(source, triggers)).toEqual({ count: 0 });
    await source.query(`update jobs set state = 'scheduled', worker = null`);
  });

  it('copies every row, encrypts secrets for the target, and deletes the source later', async () => {
    const [source, target] = clients;
    const jobs = await count(source, 'jobs');
    const { code, stdout, stderr } = await cli(['move', 'crowd', '--to', '2'], env);
    expect([code, stderr]).toEqual([0, expect.stringContaining('crowd was frozen for')]);
    expect(stdout).toContain('crowd has moved to cell 2');
    expect(await directory.place('crowd')).toMatchObject({ cell: 2, state: 'here', organizationId: organization });
    // Jobs and keys have left the source at once.
    const late = ['api_keys', 'jobs'];
    expect(await differences(databases[0].url, databases[1].url, organization)).toEqual(
      late.map((table) => expect.stringMatching(new RegExp(`^${table} \\(0 rows`))),
    );
    expect([await count(target, 'jobs'), await count(target, 'organization_freezes')]).toEqual([jobs, 0]);
    const { config } = await one<{ config: never }>(target, 'select config from channels');
    const place = { organizationId: organization, projectId: null, slug: 'hook' };
    expect(openConfig(config, place, new SecretBox(KEYS[1]!))).toMatchObject({ secret: 'whsec_1' });
    const unsealed = 'select count(*)::int from audit_entries where organization_id = $1 and position is null';
    expect(await one(target, unsealed, [organization])).toEqual({ count: 0 });

    const finished = await cli(['move', 'crowd', '--to', '2', '--finish'], env);
    expect([finished.code, finished.stdout]).toEqual([0, 'crowd is in cell 2, and its rows here are deleted\n']);
    for (const table of ['deliveries', 'attempts', 'messages', 'users', 'organizations', 'organization_freezes'])
      expect([table, await count(source, table)]).toEqual([table, 0]);
    expect([await count(target, 'deliveries'), await count(target, 'messages')]).toEqual([DELIVERIES, DELIVERIES]);
    const left = 'select count(*)::int from audit_entries where organization_id = $1';
    expect(await one(source, left, [organization])).toEqual({ count: 0 });
  });

  it('leaves an audit log whose chain goes on', async () => {
    const [, target] = clients;
    await target.query(`update organizations set name = 'Renamed'`);
    const side = await Side.connect('target', databases[1].url);
    await sealAll(side);
    await side.end();
    const { code, stdout } = await cli(['audit', 'verify', '--org', 'crowd'], {
      ...env,
      DATABASE_URL: databases[1].url,
      CELL: '2',
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^crowd: \d+ entries intact/)]);
  });
});
