import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { itOnLinux } from '../support/linux.js';
import { until } from '../support/until.js';
import { withClient } from '../support/world/crowd.js';

let folder: TestFolder;
let env: Record<string, string>;

beforeAll(() => {
  folder = createFolder();
  env = { DATA_DIR: join(folder.path, 'data') };
});
afterAll(() => folder.remove());

const postgresRuns = () => existsSync(join(env.DATA_DIR!, 'postgres', 'postmaster.pid'));

const ping = async (service: Service, key: string) => {
  const response = await fetch(`${service.url}/api/system/ping/`, { headers: { authorization: `Key ${key}` } });
  return [response.status, await response.json()];
};

/** With the link that the service has printed first of all. */
const signIn = async (service: Service) => {
  const [, path, link] = /running\.\s+Console +\S+(\/console\/)#t=(\S+)/.exec(service.output)!;
  expect(path).toBe('/console/');
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ link });
  const response = await fetch(`${service.url}/api/session/`, { method: 'POST', headers, body });
  return [response.status, await response.json()];
};

const newKey = async () => {
  const printed = await Service.run(['key', 'create', '--org', 'demo', '--name', 'later', '--all', '--json'], env);
  return (JSON.parse(printed) as { key: string }).key;
};

const stop = async (service: Service, signal?: NodeJS.Signals) => {
  expect(await service.stop(signal)).toBe(0);
  expect(postgresRuns()).toBe(false);
};

describe('the embedded PostgreSQL, story of one data folder', () => {
  let key: string;
  let service: Service;

  it('starts with the service, one for all its processes, which print one key that works and a curl line', async () => {
    service = await Service.start({ ...env, PROCESSES: '2', DATABASE_POOL_MAX: '40', LOG_FORMAT: 'pretty' });
    const keys = [...service.output.matchAll(/API key +(crl_\w+)/g)];
    expect(keys).toHaveLength(1);
    expect(service.output.match(/#t=crt_/g)).toHaveLength(1);
    key = keys[0]![1]!;
    expect(await ping(service, key)).toEqual([200, { token: 'demo' }]);
    expect(await signIn(service)).toMatchObject([201, { via: 'link', name: 'demo', organization: 'demo' }]);
    expect(service.output).toContain('/api/docs/');
    expect(service.output).toContain("curl -w '\\n' -X POST");
    const visitor = await EmbeddedPostgres.open(env.DATA_DIR!, 'command');
    const { rows } = await withClient(visitor.url, (client) => client.query('show max_connections'));
    expect(rows).toEqual([{ max_connections: '156' }]); // room for the connections of each
    await visitor.close();
    await stop(service, 'SIGINT');
  });

  it('keeps its data over a restart, and refuses a second server on the folder', async () => {
    service = await Service.start(env);
    expect(await ping(service, key)).toEqual([200, { token: 'demo' }]);
    const second = await Service.try(['start'], { ...env, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.stderr).toBe(
      `carillon: another Carillon (process ${service.pid}) already runs on ${env.DATA_DIR}: stop it, or set DATA_DIR to another folder\n`,
    );
    expect(await ping(service, key)).toEqual([200, { token: 'demo' }]);
  });

  it('serves commands while the service runs', async () => {
    expect(await ping(service, await newKey())).toEqual([200, { token: 'later' }]);
  });

  itOnLinux('knows no secret of the service', async () => {
    const visitor = await EmbeddedPostgres.open(env.DATA_DIR!, 'command');
    const { rows } = await withClient(visitor.url, async (client) => {
      await client.query(`create temp table environment (line text); copy environment from program 'env'`);
      return client.query<{ line: string }>('select line from environment');
    });
    await visitor.close();
    const names = rows.map(({ line }) => line.split('=')[0]);
    expect(names).toContain('PATH');
    expect(names).not.toContain('SECRET_KEY');
  });

  it('lets the service live through the loss of all its connections', async () => {
    const visitor = await EmbeddedPostgres.open(env.DATA_DIR!, 'command');
    const killed = await withClient(visitor.url, (client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      ),
    );
    expect(killed.rowCount).toBeGreaterThan(1);
    // PostgreSQL ends a session a moment after it was told to: a request that still gets one of them is answered 503.
    await until(15_000, async () => (await ping(service, key))[0] === 200);
    expect(await ping(service, key)).toEqual([200, { token: 'demo' }]);
    await visitor.close();
    await stop(service, 'SIGTERM');
  });

  it('serves commands without the service', async () => {
    const alone = await newKey();
    expect(postgresRuns()).toBe(false);
    service = await Service.start({ ...env, LOG_FORMAT: 'pretty' });
    expect(await ping(service, alone)).toEqual([200, { token: 'later' }]);
    expect(await signIn(service)).toMatchObject([201, { via: 'link', name: 'demo' }]);
    expect((await signIn(service))[0]).toBe(401);
    expect(service.output.match(/crt_/g)).toHaveLength(1);
  });

  it('is taken over after the service was killed', async () => {
    expect(await service.stop('SIGKILL')).toBeNull();
    expect(postgresRuns()).toBe(true);
    service = await Service.start(env);
    expect(await ping(service, key)).toEqual([200, { token: 'demo' }]);
    await stop(service);
  });
});
