import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { until } from '../support/until.js';

let app: TestApp;
useAcme((acme) => void ({ app } = acme));

describe('ping', () => {
  it('answers the name of the key', async () => {
    const key = await app.key({ name: 'ci', org: 'acme', permissions: ['system:ping'] });
    const { status, body } = await app.as(key).get('/api/system/ping/');
    expect([status, body]).toEqual([200, { token: 'ci' }]);
  });

  it('answers without the last slash too, and does not redirect', async () => {
    const { status } = await app
      .as(await app.key())
      .get('/api/system/ping')
      .redirects(0);
    expect(status).toBe(200);
  });

  it.each([
    ['Authorization', (key: string) => `Key ${key}`],
    ['Authorization', (key: string) => `kEy ${key}`],
    ['Authorization', (key: string) => `Bearer ${key}`],
    ['X-API-Key', (key: string) => key],
  ])('takes the key in %s', async (header, value) => {
    const { status } = await app
      .as()
      .get('/api/system/ping/')
      .set(header, value(await app.key()));
    expect(status).toBe(200);
  });

  it('does not take the key as a query parameter', async () => {
    const { status } = await app.as().get(`/api/system/ping/?key=${await app.key()}&api_key=${await app.key()}`);
    expect(status).toBe(401);
  });
});

describe('health', () => {
  it('is live and ready, without a key', async () => {
    expect((await app.as().get('/health/live')).body).toEqual({ status: 'ok', checks: {} });
    const { status, body } = await app.as().get('/health/ready');
    expect([status, body]).toEqual([200, { status: 'ok', checks: { database: 'ok', migrations: 'ok' } }]);
  });

  it('is not ready while a migration is missing', async () => {
    await app.pool.query(`update _carillon_migrations set rolled_back_at = now()`);
    const { body } = await until(10_000, async () => {
      const answer = await app.as().get('/health/ready'); // which may be a second old
      return answer.status === 503 && answer;
    });
    await app.pool.query(`update _carillon_migrations set rolled_back_at = null`);
    expect(body).toMatchObject({
      status: 'unavailable',
      checks: { database: 'ok', migrations: expect.stringContaining('to apply') },
    });
  });
});

describe('every response', () => {
  it('carries a request id, the given one if it is sane', async () => {
    expect((await app.as().get('/health/live')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const given = await app.as().get('/health/live').set('X-Request-Id', 'abc-1');
    expect(given.headers['x-request-id']).toBe('abc-1');
    const odd = await app.as().get('/health/live').set('X-Request-Id', 'a b<script>');
    expect(odd.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is a problem at a path that does not exist', async () => {
    const { status, body, headers } = await app.as(await app.key()).get('/api/nowhere/');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'urn:carillon:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is no such path.',
    });
  });
});
