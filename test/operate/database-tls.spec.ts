import { appendFileSync, chownSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { postgresAccount } from '../../src/platform/database/embedded/postgres-binaries.js';
import { Cluster } from '../../src/platform/database/embedded/postgres-cluster.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY, TEST_CERTIFICATE } from '../support/sinks/certificate.js';

const folder = createFolder();
const rightCa = join(folder.path, 'right.pem');
const wrongCa = join(folder.path, 'wrong.pem');
let cluster: Cluster;

/** PostgreSQL refuses a key that others may read, or that belongs to another account. */
function writeFor(account: ReturnType<typeof postgresAccount>, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (account) chownSync(path, account.uid, account.gid);
}

beforeAll(async () => {
  writeFileSync(rightCa, LOCALHOST_CERTIFICATE);
  writeFileSync(wrongCa, TEST_CERTIFICATE);
  cluster = await Cluster.at(folder.path, 60);
  const data = realpathSync(join(folder.path, 'postgres'));
  writeFor(postgresAccount(), join(data, 'server.crt'), LOCALHOST_CERTIFICATE);
  writeFor(postgresAccount(), join(data, 'server.key'), LOCALHOST_KEY);
  appendFileSync(join(data, 'postgresql.conf'), 'ssl = on\n');
  await cluster.start();
});
afterAll(async () => {
  await cluster.stop();
  folder.remove();
});

const urlWith = (query: string) => `${cluster.url.replace('127.0.0.1', 'localhost')}?${query}`;

/** A command that needs the database. */
const migrate = (query: string) => Service.try(['migrate'], { DATABASE_URL: urlWith(query) });

describe('TLS to PostgreSQL', () => {
  for (const mode of ['verify-full', 'require'])
    it(`${mode} connects to a server whose CA is given`, async () => {
      expect((await migrate(`sslmode=${mode}&sslrootcert=${rightCa}`)).code).toBe(0);
    });

  for (const mode of ['verify-full', 'require'])
    it(`${mode} refuses a certificate of another CA, in one line that says what to do`, async () => {
      const { code, stderr } = await migrate(`sslmode=${mode}&sslrootcert=${wrongCa}`);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: .*certificate.*sslrootcert.*\n$/)]);
    });

  it('a self-signed certificate without its CA is refused', async () => {
    expect((await migrate('sslmode=verify-full')).stderr).toMatch(/^carillon: .*certificate.*sslrootcert.*\n$/);
  });

  it('a file that does not exist is named', async () => {
    const { code, stderr } = await migrate('sslmode=verify-full&sslrootcert=/nowhere.pem');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^carillon: .*\/nowhere\.pem.*\n$/)]);
  });

  it('no-verify connects to any server', async () => {
    expect((await migrate('sslmode=no-verify')).code).toBe(0);
  });

  it('the connections of a running service are encrypted', async () => {
    const service = await Service.start({ DATABASE_URL: urlWith(`sslmode=verify-full&sslrootcert=${rightCa}`) });
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'carillon%'`,
    );
    await client.end();
    await service.stop();
    expect(rows).toEqual([{ ssl: true }]);
  });
});
