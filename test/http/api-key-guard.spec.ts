import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { newApiKey } from '../../src/auth/api-key.js';
import { ApiKeyGuard } from '../../src/auth/api-key.guard.js';
import { WrongKeys } from '../../src/auth/quota/rate-limit.js';
import { TriggerShares } from '../../src/platform/http/limit/trigger-shares.js';
import { StoredBodies } from '../../src/auth/quota/stored-bodies.js';
import { StoredBytes } from '../../src/auth/quota/stored-bytes.js';
import { Origins } from '../../src/auth/recipient/origins.js';
import { signToken } from '../../src/auth/recipient/token.js';
import { Public, RequirePermission, Spends } from '../../src/auth/require-permission.decorator.js';
import { scopeOf } from '../../src/auth/scope.js';
import { Clock } from '../support/clock.js';
import { useTree } from '../support/world/tree.js';
import type { Tree } from '../support/world/tree.js';

class Routes {
  @Public()
  open(): void {
    throw new Error('not called');
  }

  @RequirePermission('user:read')
  closed(): void {
    throw new Error('not called');
  }

  @RequirePermission('user:read', 'project')
  @Spends('trigger')
  demanding(): void {
    throw new Error('not called');
  }

  forgotten(): void {
    throw new Error('not called');
  }
}

/** A token that nobody's secret has signed. */
function newToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { org: 'acme', sub: 'ann@acme.test', scope: 'inbox', iat: now, exp: now + 60 };
  return signToken(claims, randomUUID(), 'secret');
}

let tree: Tree;
useTree((created) => (tree = created));

const reflector = new Reflector();
let guard: ApiKeyGuard;
beforeEach(() => {
  const parts = [new WrongKeys(), tree.recipients(), new Origins(tree.database), new TriggerShares()] as const;
  guard = new ApiKeyGuard(reflector, tree.scopes(), ...parts, new StoredBodies(new StoredBytes(tree.database)));
});
afterEach(() => void jest.restoreAllMocks());

const request = (key: string | null, org?: string, remoteAddress = '192.0.2.1') => ({
  headers: key === null ? {} : { authorization: `${key.includes('.') ? 'Bearer' : 'Key'} ${key}` },
  params: { org },
  socket: { remoteAddress },
});
const enter = (route: keyof Routes, from: ReturnType<typeof request>) =>
  guard.canActivate({
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    getArgByIndex: (i: number) => [from, { on: () => undefined, once: () => undefined }][i],
  } as unknown as ExecutionContext);
/** The status of the answer; 200: the request enters. */
const statusOf = async (route: keyof Routes, ...from: Parameters<typeof request>) => {
  try {
    return (await enter(route, request(...from))) ? 200 : 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
};

it('lets anybody use a public route', () => {
  expect(enter('open', request(null))).toBe(true);
});

it('refuses a route that does not say who may call it', () => {
  expect(() => enter('forgotten', request(null))).toThrow('Routes.forgotten needs @RequirePermission() or @Public()');
});

it('wants a key, and gives the request its scope, whether the key is looked up or remembered', async () => {
  const [{ id, text }] = tree.keys as [(typeof tree.keys)[number]];
  expect(() => enter('closed', request(null))).toThrow('An API key is required');
  const [first, second] = [request(text), request(text)];
  expect(await enter('closed', first)).toBe(true);
  const read = jest.spyOn(reflector, 'get');
  expect(enter('closed', second)).toBe(true);
  expect(read).not.toHaveBeenCalled(); // only once for each route
  for (const from of [first, second])
    expect(scopeOf(from as never)).toMatchObject({ key: { id }, address: '192.0.2.1' });
});

it('asks for all that the route declares', async () => {
  const { text: weak } = await tree.key({ permissions: ['user:write'] });
  const [organization, application] = [tree.keys[1]!.text, tree.keys.at(-1)!.text];
  await Clock.stopped(async () => {
    expect(await statusOf('closed', weak)).toBe(403);
    expect(await statusOf('closed', application, 'globex')).toBe(200);
    expect(await statusOf('demanding', application, 'globex')).toBe(403);
    for (const status of [200, 200, 429]) expect(await statusOf('demanding', organization, 'acme')).toBe(status);
    expect(await statusOf('closed', organization, 'acme')).toBe(200);
  });
});

it.each([
  ['at once', () => 'garbage'],
  ['after a query', newApiKey],
  ['at once, and is a recipient token', () => 'a.b.c'],
  ['after a query, and is a recipient token', newToken],
])('refuses the 101st wrong key of an address with a 429, when it is known %s', async (_, wrong) => {
  await Clock.stopped(async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 101; i++) statuses.push(await statusOf('closed', wrong()));
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 401), 429]);
    expect(await statusOf('closed', wrong(), undefined, '192.0.2.2')).toBe(401);
    await expect(async () => enter('closed', request(wrong()))).rejects.toMatchObject({
      headers: { 'Retry-After': '1' },
    });
    // No key, and a right key that finds nothing, are no wrong keys.
    expect(await statusOf('closed', null)).toBe(401);
    expect(await statusOf('closed', tree.keys[0]!.text, 'nowhere')).toBe(404);
    expect(await statusOf('closed', tree.keys[0]!.text)).toBe(200);
  });
});

it('counts nothing but wrong keys', async () => {
  await Clock.stopped(async () => {
    for (let i = 0; i < 101; i++) expect(await statusOf('closed', tree.keys[0]!.text, 'nowhere')).toBe(404);
    expect(await statusOf('closed', 'garbage')).toBe(401);
  });
});
