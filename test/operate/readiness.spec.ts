import { afterEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { limitAnswers } from '../../src/platform/database/connection/session-client.js';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { createDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { ForgetfulProxy } from '../support/sinks/forgetful-proxy.js';
import { until } from '../support/until.js';
import { fileOf, webhook } from '../support/world/tenant.js';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  limitAnswers(Infinity);
  for (const end of ended.splice(0).reverse()) await end();
});

async function ready(url: string) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/health/ready`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, checks, ms: performance.now() - startedAt };
}

describe('readiness', () => {
  it('does not wait for an answer of the database that never comes', async () => {
    const database = await createDatabase();
    const proxy = await ForgetfulProxy.start(database.url);
    const app = await TestApp.start({}, { url: proxy.url, drop: async () => undefined });
    ended.push(
      database.drop,
      () => proxy.close(),
      () => app.stop(),
    );
    const lost = proxy.loseAnswerTo(/_carillon_migrations/);
    const { status, checks, ms } = await ready(app.url);
    await lost;
    expect([status, checks]).toEqual([503, { database: 'does not answer in time', migrations: 'unknown' }]);
    // The deadline of the statement is 35 s.
    expect(ms).toBeLessThan(10_000);
    limitAnswers(500);
    await until(20_000, async () => (await ready(app.url)).status === 200);
  });

  it('is kept while requests use every connection, and the database answers', async () => {
    const app = await TestApp.start({ DATABASE_POOL_MAX: '2' });
    ended.push(() => app.stop());
    await until(20_000, async () => (await ready(app.url)).status === 200);
    const { pool } = app.app.get(Database);
    const busy = await Promise.all([pool.connect(), pool.connect()]);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the last answer is kept for a second
    const { status, ms } = await ready(app.url);
    for (const client of busy) client.release();
    expect(status).toBe(200);
    expect(ms).toBeLessThan(4500); // a free connection is waited for 5 s
  });
});

describe('a database that was used with another SECRET_KEY', () => {
  const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');

  it('is noticed by the start, by readiness and by doctor, which says what to do', async () => {
    const database = await createDatabase();
    ended.push(database.drop);
    const env = (byte: number) => ({ DATABASE_URL: database.url, SECRET_KEY: keyOf(byte), OUTBOUND_ALLOW: '' });
    const channels = [webhook('hook', 'https://hooks.test/', { secret: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0' })];
    const applied = await cli(['apply', 'FILE'], env(1), fileOf('acme', { channels, lists: [], notifications: [] }));
    expect([applied.code, applied.stderr]).toEqual([0, expect.anything()]);
    expect((await cli(['doctor'], env(1))).stdout).toMatch(/ok {4}secret key +opens all 1 stored secrets/);

    const { code, stdout } = await cli(['doctor'], env(2));
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}secret key +SECRET_KEY .* is not the key of this database/),
    ]);
    expect(stdout).toContain('set SECRET_KEY to the key that the database was used with');

    const service = await Service.start({ ...env(2), LOG_LEVEL: 'info' });
    ended.push(() => service.stop());
    expect(service.output).toContain('is not the key of this database');
    expect(await ready(service.url)).toMatchObject({
      status: 503,
      checks: { database: 'ok', secret_key: expect.stringContaining('is not the key') },
    });
  });

  it('is ready with that key as SECRET_KEY_PREVIOUS', async () => {
    const database = await createDatabase();
    ended.push(database.drop);
    const env = { DATABASE_URL: database.url, SECRET_KEY: keyOf(1) };
    const channels = [webhook('hook', 'https://hooks.test/', { secret: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0' })];
    await cli(['apply', 'FILE'], env, fileOf('acme', { channels, lists: [], notifications: [] }));
    const rotated = { ...env, SECRET_KEY: keyOf(2), SECRET_KEY_PREVIOUS: keyOf(1) };
    expect((await cli(['doctor'], rotated)).stdout).toMatch(/ok {4}secret key/);
  });
});
