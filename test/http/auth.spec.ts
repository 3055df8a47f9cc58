import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.js';
import { ApiKeyStore } from '../../src/auth/api-key-store.js';
import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import { TestApp } from '../support/app/app.js';
import { Clock } from '../support/clock.js';
import { OPERATIONS, WRITES, allBut, call, pathOf } from '../support/contract/operations.js';
import { BAD_KEY, EXPIRED_KEY, NO_KEY, REVOKED_KEY, forbidden, notFound } from '../support/contract/problems.js';
import { until } from '../support/until.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

let app: TestApp;
let everything: string;
beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  everything = await app.key({ org: 'acme' });
});
afterAll(() => app.stop());

const PING = '/api/system/ping/';
const ping = (key?: string) => app.as(key).get(PING);

const TITLE = '$number. $method $path';

describe('a key', () => {
  it('is missing: 401, and the answer says how to present one', async () => {
    const { status, body, headers } = await ping();
    expect([status, body]).toEqual([401, NO_KEY]);
    expect(headers['www-authenticate']).toBe('Key');
    expect(headers['content-type']).toBe('application/problem+json');
  });

  it.each([
    ['is garbage', () => 'garbage'],
    ['has a wrong checksum', (good: string) => good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')],
    ['is cut short', (good: string) => good.slice(0, -1)],
    ['is written in upper case', (good: string) => good.toUpperCase()],
    ['is well formed but unknown', () => newApiKey()],
  ])('%s: 401', async (_, broken) => {
    const { status, body, headers } = await ping(broken(everything));
    expect([status, body]).toEqual([401, BAD_KEY]);
    expect(headers['www-authenticate']).toBe('Key');
  });

  it('is presented under a scheme we do not know: 401, as if there were none', async () => {
    const { status, body } = await app.as().get(PING).set('Authorization', `Basic ${everything}`);
    expect([status, body]).toEqual([401, NO_KEY]);
  });

  it('has expired: 401', async () => {
    const { status, body } = await ping(await app.key({ expiresAt: new Date(Date.now() - 1000) }));
    expect([status, body]).toEqual([401, EXPIRED_KEY]);
  });

  it('that expires while it is in use is refused from that moment on', async () => {
    await Clock.stopped(async (clock) => {
      const key = await app.key({ expiresAt: new Date(Date.now() + 3000) });
      expect((await ping(key)).status).toBe(200);
      clock.advance(2999);
      expect((await ping(key)).status).toBe(200);
      clock.advance(1);
      const { status, body } = await ping(key);
      expect([status, body]).toEqual([401, EXPIRED_KEY]);
    });
  });

  it('that is revoked in this process is refused at once, although it was just used', async () => {
    const { id, text } = await app.keyWithId();
    expect((await ping(text)).status).toBe(200);
    expect(await app.app.get(ApiKeyStore).revoke(id, { actor: 'test' })).toBe(true);
    const { status, body } = await ping(text);
    expect([status, body]).toEqual([401, REVOKED_KEY]);
  });

  it('that is revoked by another process is refused within six seconds', async () => {
    const { id, text } = await app.keyWithId();
    expect((await ping(text)).status).toBe(200);
    await app.pool.query('update api_keys set revoked_at = now() where id = $1', [id]);
    await Clock.stopped(async (clock) => {
      expect((await ping(text)).status).toBe(200); // remembered
      clock.advance(6000);
      const { status, body } = await ping(text);
      expect([status, body]).toEqual([401, REVOKED_KEY]);
    });
  });

  it('has its last use noted, at most once a minute', async () => {
    const lastUse = async (id: number) => {
      const { rows } = await app.pool.query<{ at: Date | null }>('select last_used_at at from api_keys where id = $1', [
        id,
      ]);
      return rows[0]!.at;
    };
    const [first, later] = [await app.keyWithId(), await app.keyWithId()];
    expect(await lastUse(first.id)).toBeNull();
    await ping(first.text);
    const noted = await until(10_000, () => lastUse(first.id));
    await ping(first.text);
    // The note of a use that came after has arrived: that of the second use would have, too.
    await ping(later.text);
    await until(10_000, () => lastUse(later.id));
    expect(await lastUse(first.id)).toEqual(noted);
  });
});

describe('every operation', () => {
  it('says who may call it, or the service does not start', () => {
    expect(app.app.get(DeclaredRoutes)).toBeInstanceOf(DeclaredRoutes);
  });

  it('is in this table once', () => {
    expect(new Set(OPERATIONS.map(({ number }) => number)).size).toBe(20);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(21);
  });

  it.each(OPERATIONS)(`${TITLE} wants a key`, async (operation) => {
    const { status, body, headers } = await call(app, undefined, operation, pathOf(operation));
    expect([status, body]).toEqual([401, NO_KEY]);
    expect(headers['www-authenticate']).toBe('Key');
  });

  it.each(OPERATIONS)(`${TITLE} refuses a key that has every permission but $permission`, async (operation) => {
    const key = await app.key({ org: 'acme', permissions: allBut(operation.permission) });
    const { status, body } = await call(app, key, operation, pathOf(operation));
    expect([status, body]).toEqual([403, forbidden(operation.permission)]);
  });

  it.each(OPERATIONS)(`${TITLE} takes a key that has $permission alone`, async (operation) => {
    const key = await app.key({ org: 'acme', permissions: [operation.permission] });
    const { status } = await call(app, key, operation, pathOf(operation));
    expect(status).toBe([4, 15, 17].includes(operation.number) ? 201 : 200);
  });

  it.each(OPERATIONS.slice(1))(`${TITLE} hides another organization as if it did not exist`, async (operation) => {
    const key = await app.key({ org: 'globex' });
    const foreign = await call(app, key, operation, pathOf(operation));
    const missing = await call(app, key, operation, pathOf(operation, { org: 'nowhere' }));
    expect([foreign.status, foreign.body]).toEqual([404, notFound('organization')]);
    expect([missing.status, missing.body]).toEqual([404, notFound('organization')]);
  });
});

describe('the checks come in this order: key, permission, path, query, body', () => {
  it.each(WRITES)(TITLE, async (operation) => {
    const { method, permission } = operation;
    const ask = (key: string | undefined, path: string) => app.as(key)[method](path).type('json').send('{"broken');
    const answer = async (key: string | undefined, path: string) => (await ask(key, `${path}?limt=1`)).status;
    const faults = async (path: string) => Object.keys((await ask(everything, path)).body.errors as object);
    const [here, nowhere] = [pathOf(operation), pathOf(operation, { org: 'nowhere' })];
    expect(await answer(undefined, nowhere)).toBe(401);
    expect(await answer(await app.key({ org: 'acme', permissions: allBut(permission) }), nowhere)).toBe(403);
    expect(await answer(everything, nowhere)).toBe(404);
    expect(await answer(everything, here)).toBe(400);
    expect([await faults(`${here}?limt=1`), await faults(here)]).toEqual([['limt'], ['body']]);
  });
});

describe('what a key reaches', () => {
  const slugs = async (key: string, path: string) => {
    const { status, body } = await app.as(key).get(path);
    return [status, (body as { slug: string }[]).map(({ slug }) => slug)];
  };
  const expectHidden = async (key: string, path: string, noun: string) => {
    const { status, body } = await app.as(key).get(path);
    expect([path, status, body]).toEqual([path, 404, notFound(noun)]);
  };
  const listId = async (org: string, name: string) => {
    const sql = `select l.id from distribution_lists l join organizations o on o.id = l.organization_id where o.slug = $1 and l.name = $2`;
    return (await app.pool.query<{ id: number }>(sql, [org, name])).rows[0]!.id;
  };

  it('of an organization: nothing of another one by way of its own paths', async () => {
    const key = await app.key({ org: 'globex' });
    await expectHidden(key, `/api/o/globex/p/shop/d/${await listId('acme', 'Staff')}/`, 'distribution list');
    await expectHidden(key, `/api/o/globex/p/shop/d/${await listId('globex', 'Drivers')}/m/`, 'distribution list');
    await expectHidden(key, '/api/o/globex/u/ann@acme.test/', 'user');
  });

  it('of a project: that project, and its organization', async () => {
    const key = await app.key({ org: 'acme', project: 'shop' });
    expect(await slugs(key, '/api/o/acme/p/')).toEqual([200, ['shop']]);
    expect(await slugs(key, '/api/o/acme/p/shop/a/')).toEqual([200, ['till', 'web']]);
    for (const path of ['/api/o/acme/', '/api/o/acme/c/', '/api/o/acme/u/', '/api/o/acme/u/ann@acme.test/', PING]) {
      expect([path, (await app.as(key).get(path)).status]).toEqual([path, 200]);
    }
    for (const path of ['', 'c/', 'a/', 'a/gate/e/', 'd/', `d/${await listId('acme', 'Drivers')}/`]) {
      await expectHidden(key, `/api/o/acme/p/depot/${path}`, 'project');
    }
    await expectHidden(key, `/api/o/acme/p/shop/d/${await listId('acme', 'Drivers')}/`, 'distribution list');
    await expectHidden(key, '/api/o/globex/p/shop/', 'organization');
  });

  it('of an application: that application, its project and its organization', async () => {
    const key = await app.key({ org: 'acme', project: 'shop', application: 'web' });
    expect(await slugs(key, '/api/o/acme/p/')).toEqual([200, ['shop']]);
    expect(await slugs(key, '/api/o/acme/p/shop/a/')).toEqual([200, ['web']]);
    expect(await slugs(key, '/api/o/acme/p/shop/a/web/e/')).toEqual([200, ['order-paid', 'order-sent']]);
    expect((await app.as(key).get('/api/o/acme/u/')).status).toBe(200);
    await expectHidden(key, '/api/o/acme/p/shop/a/till/e/', 'application');
    await expectHidden(key, '/api/o/acme/p/depot/a/gate/e/', 'project');
    const own = await app.as(key).post('/api/o/acme/p/shop/a/web/e/order-paid/trigger/');
    const sibling = await app.as(key).post('/api/o/acme/p/shop/a/till/e/closed/trigger/');
    expect([own.status, sibling.status, sibling.body]).toEqual([201, 404, notFound('application')]);
  });

  it('of an operator: every organization', async () => {
    const key = await app.key();
    for (const org of ['acme', 'globex']) {
      expect(await slugs(key, `/api/o/${org}/p/`)).toEqual([200, ['depot', 'shop']]);
      const { body } = await app.as(key).get(`/api/o/${org}/u/ann@${org}.test/`);
      expect(body).toMatchObject({ username: `ann@${org}.test` });
    }
    await expectHidden(key, '/api/o/nowhere/', 'organization');
  });
});
