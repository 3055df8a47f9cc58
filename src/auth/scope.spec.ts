import { expect, it } from '@jest/globals';
import { Scope } from './scope.js';
import type { PathIds, ScopeKey } from './scope.js';

const KEY: ScopeKey = {
  ...{ id: 1, name: 'ci', permissions: [], isOperator: false, organizationId: 1 },
  ...{ projectId: null, applicationId: null, expiresAt: null, rateLimit: null, rateLimitOf: 1 },
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
