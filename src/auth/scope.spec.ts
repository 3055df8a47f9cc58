import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { tenantOf } from '../platform/http/limit/tenant.js';
import { assignRequestId } from '../platform/http/request-id.js';
import { Scope, actorOf, scopeOf, setScope } from './scope.js';
import type { PathIds, ScopeKey } from './scope.js';

const KEY: ScopeKey = {
  ...{ id: 1, name: 'ci', permissions: [], isOperator: false, organizationId: 1 },
  ...{
    projectId: null,
    applicationId: null,
    expiresAt: null,
    via: null,
    parentId: null,
    rateLimit: null,
    rateLimitOf: 1,
  },
};
const NOTHING: PathIds = {
  ...{ organizationId: null, projectId: null, applicationId: null, eventId: null },
  ...{ userId: null, listId: null, occurrenceId: null },
};
const NAMED: [keyof PathIds, number | string, string][] = [
  ['organizationId', 11, 'organization'],
  ['projectId', 12, 'project'],
  ['applicationId', 13, 'application'],
  ['eventId', 14, 'event'],
  ['userId', 15, 'user'],
  ['listId', 16, 'distribution list'],
  ['occurrenceId', '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21', 'occurrence'],
];

it('has a getter for every id', () => {
  expect(NAMED.map(([id]) => id).sort()).toEqual(Object.keys(NOTHING).sort());
});

it.each(NAMED)('returns %s when the path names it', (id, value) => {
  expect(new Scope(KEY, {}, { ...NOTHING, [id]: value })[id]).toBe(value);
});

it.each(NAMED)('throws for an absent %s, because undefined in a where matches everything', (id, _, noun) => {
  const others = Object.fromEntries(NAMED.map(([name, value]) => [name, value])) as unknown as PathIds;
  const scope = new Scope(KEY, {}, { ...others, [id]: null });
  expect(() => ({ where: { id: scope[id] } })).toThrow(`the path of this route names no ${noun}`);
});

it('returns null as the project only when the path names none', () => {
  expect(new Scope(KEY, {}, NOTHING).projectIdOrNull).toBeNull();
  expect(new Scope(KEY, {}, { ...NOTHING, projectId: 12 }).projectIdOrNull).toBe(12);
});

it('loses its ids when it is copied, and TypeScript refuses to read them', () => {
  const copy = { ...new Scope(KEY, {}, { ...NOTHING, organizationId: 11 }) };
  // @ts-expect-error: a copy has no getters. If this line compiled, `undefined` could reach a where.
  expect(copy.organizationId).toBeUndefined();
});

it('has the limits of the organization that the path names, or else of the key', () => {
  const of = (organizationId: number | null, id: number | null) =>
    new Scope({ ...KEY, organizationId: id }, {}, { ...NOTHING, organizationId }).tenant;
  expect([of(11, null), of(11, 11), of(null, 7), of(null, null)]).toEqual([11, 11, 7, null]);
});

it('lets a key do what it has the permission for, and says which one it lacks', () => {
  const scope = new Scope({ ...KEY, permissions: ['event:trigger'] }, {}, NOTHING);
  expect([scope.may('event:trigger'), scope.may('event:list')]).toEqual([true, false]);
  expect(() => scope.require('event:trigger')).not.toThrow();
  expect(() => scope.require('event:list')).toThrow('event:list');
});

it('is missing on a public route, which says so', () => {
  expect(() => scopeOf({} as Request)).toThrow('a public route has no scope');
});

it('belongs to its request, and says for the audit log who asked', () => {
  const request = { headers: { 'x-request-id': 'r-1' } } as unknown as Request;
  assignRequestId(request, { setHeader: () => undefined } as unknown as Response);
  const scope = new Scope({ ...KEY, id: 5, name: 'ci' }, {}, { ...NOTHING, organizationId: 11 });
  expect(setScope(request, scope, '192.0.2.1')).toBe(true);
  expect(scopeOf(request)).toBe(scope);
  expect(tenantOf(request)).toBe(11);
  expect(actorOf(scope)).toEqual({ key: 5, actor: 'ci', request: 'r-1', address: '192.0.2.1' });
});
