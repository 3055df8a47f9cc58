import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { root } from '../../src/platform/config/root.js';
import { migrate } from '../../src/platform/database/migration/migrate.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const FIRST = '30000101000000_people';
const SECOND = '30000102000000_second';

let database: TestDatabase;
let folder: TestFolder;
let clients: Client[];
let printed: string[];
beforeEach(async () => {
  database = await createDatabase('template0');
  folder = createFolder();
  [clients, printed] = [[], []];
  add(
    FIRST,
    'create table people (id int primary key, name text); insert into people select n from generate_series(1, 100) n',
  );
  await run();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
  folder.remove();
});

function add(name: string, sql: string, concurrently?: string): void {
  mkdirSync(join(folder.path, name), { recursive: true });
  writeFileSync(join(folder.path, name, 'migration.sql'), sql);
  if (concurrently) writeFileSync(join(folder.path, name, 'concurrently.sql'), concurrently);
}

const options = (tries = 50) => ({ folder: folder.path, lockTimeoutMs: 100, tries });
const run = (tries?: number) => migrate(database.url, (message) => printed.push(message), options(tries));
const hasPrinted = (pattern: RegExp) =>
  until(
    30_000,
    () => printed.some((line) => pattern.test(line)),
    () => printed.join('\n'),
  );

async function connect(name = 'a report'): Promise<Client> {
  const client = new Client({ connectionString: database.url, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

const one = async <Row extends object>(sql: string) => (await (await connect()).query<Row>(sql)).rows[0];
const isValid = async (index: string) =>
  (await one<{ ok: boolean }>(`select indisvalid ok from pg_index where indexrelid = to_regclass('${index}')`))?.ok;

/** A transaction that has read the table and stays open, as a long report does. */
async function openReport(): Promise<Client> {
  const report = await connect();
  await report.query('begin isolation level repeatable read');
  await report.query('select count(*) from people');
  return report;
}

describe('a lock that somebody else holds', () => {
  it('is waited for in short tries, which name the statement and the session, and let others through', async () => {
    add(SECOND, 'create table b (id int);\n-- why\nalter table people add age int;');
    const report = await openReport();
    const { pid } = (await report.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]!;
    const done = run();
    await hasPrinted(
      new RegExp(
        `^alter table people add age int: waits for session ${pid} \\(a report, idle in transaction, transaction of \\d+ s: select `,
      ),
    );
    await hasPrinted(
      /^migration 30000102000000_second failed: canceling statement due to lock timeout .*; try 3 of 50 in 0\.1 s$/,
    );
    // A try that ended leaves nothing behind, and the table is open to all.
    await (await connect()).query('insert into people values (101)');
    await report.query('commit');
    expect(await done).toEqual([SECOND]);
    expect(await one('select count(age)::int ages, count(*)::int people from people')).toEqual({
      ages: 0,
      people: 101,
    });
  });

  it('ends the migration after the last try', async () => {
    add(SECOND, 'alter table people add age int');
    await openReport();
    await expect(run(2)).rejects.toThrow(
      'canceling statement due to lock timeout (in: alter table people add age int)',
    );
    expect(printed.filter((line) => line.includes('; try '))).toHaveLength(1);
    expect(
      await one(`select migration_name from _carillon_migrations where migration_name = '${SECOND}'`),
    ).toBeUndefined();
  });
});

describe('statements outside the transaction', () => {
  it('build an index while others write, and name who they wait for', async () => {
    add(SECOND, '', 'create index concurrently people_name on people (name)');
    const report = await openReport();
    const done = run();
    await hasPrinted(/^create index concurrently people_name on people \(name\): waits for session \d+ \(a report/);
    await (await connect()).query(`insert into people values (101, 'Ann')`);
    await report.query('commit');
    expect(await done).toEqual([SECOND]);
    expect(await isValid('people_name')).toBe(true);
  });

  it('change rows in pieces until none is left', async () => {
    add(SECOND, '', `update people set name = 'x' where id in (select id from people where name is null limit 30)`);
    expect(await run()).toEqual([SECOND]);
    expect(await one('select count(name)::int n, count(distinct xmin::text)::int transactions from people')).toEqual({
      n: 100,
      transactions: 4,
    });
  });

  it('go on after a failure: an index that was not finished is dropped and built again', async () => {
    add(
      SECOND,
      'alter table people add age int',
      'create index concurrently people_age on people (age); create unique index concurrently people_name on people (name)',
    );
    await (await connect()).query(`update people set name = 'twin' where id < 3`);
    await expect(run()).rejects.toThrow('could not create unique index "people_name"');
    expect([await isValid('people_age'), await isValid('people_name')]).toEqual([true, false]);
    await (await connect()).query(`update people set name = 'other' where id = 1`);
    expect(await run()).toEqual([SECOND]);
    expect(printed).toEqual(['people_name was not finished: it is dropped and built again']);
    expect(await isValid('people_name')).toBe(true);
    expect(await run()).toEqual([]);
  });

  it('go on after a lost connection', async () => {
    add(SECOND, '', 'create index concurrently people_name on people (name)');
    const report = await openReport();
    const lost = expect(run()).rejects.toThrow();
    await hasPrinted(/^create index concurrently .* waits for/);
    await (
      await connect()
    ).query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'carillon migrate' and datname = current_database()`,
    );
    await lost;
    expect(await isValid('people_name')).toBe(false);
    await report.query('commit');
    expect(await run()).toEqual([SECOND]);
    expect(await isValid('people_name')).toBe(true);
  });

  it('go on after the process is killed', async () => {
    add(SECOND, '', 'create index concurrently people_name on people (name)');
    const report = await openReport();
    const module = pathToFileURL(
      join(root, 'dist-test', 'src', 'platform', 'database', 'migration', 'migrate.js'),
    ).href;
    const script = `const { migrate } = await import(${JSON.stringify(module)});
      await migrate(${JSON.stringify(database.url)}, (line) => console.log(line), ${JSON.stringify(options())})`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(
      30_000,
      () => output.includes('waits for session'),
      () => output,
    );
    child.kill('SIGKILL');
    await once(child, 'close');
    // PostgreSQL does not know yet that nobody waits for this index.
    const done = run();
    await hasPrinted(/^waiting for another process that migrates the database: session \d+ \(carillon migrate\)/);
    await report.query('commit');
    expect(await done).toEqual([SECOND]);
    expect(await isValid('people_name')).toBe(true);
  });
});

describe('several processes at once', () => {
  it('apply each migration once, also one that builds an index concurrently', async () => {
    add(SECOND, 'alter table people add age int', 'create index concurrently people_age on people (age)');
    const report = await openReport();
    const all = [run(), run(), run()];
    await hasPrinted(/^waiting for another process/);
    await hasPrinted(/^(create index concurrently|alter table) .* waits for session/);
    await report.query('commit');
    expect((await Promise.all(all)).flat()).toEqual([SECOND]);
  });
});

describe('a database that a newer release has migrated', () => {
  const newer = (needs: string | null) =>
    connect().then((client) =>
      client.query(
        `insert into _carillon_migrations (id, checksum, migration_name, needs, finished_at) values (gen_random_uuid(), 'x', '39990101000000_newer', $1, now())`,
        [needs],
      ),
    );

  it.each([null, FIRST])('is used if its migrations need %s', async (needs) => {
    await newer(needs);
    expect(await run()).toEqual([]);
    expect(printed).toEqual([
      'the database has migrations of a newer release, which this one runs on: 39990101000000_newer',
    ]);
  });

  it('is refused if a migration needs a newer release', async () => {
    await newer('39980101000000_unknown');
    await expect(run()).rejects.toThrow(
      'the database belongs to a newer release of Carillon: it has the migration 39990101000000_newer, which needs a release with 39980101000000_unknown. Start that release, or restore a backup from before its upgrade',
    );
  });

  it('says what it needs in the file of the migration', async () => {
    add(SECOND, `-- contract: needs ${FIRST}\nalter table people drop name`);
    await run();
    expect(await one(`select needs from _carillon_migrations where migration_name = '${SECOND}'`)).toEqual({
      needs: FIRST,
    });
  });
});
