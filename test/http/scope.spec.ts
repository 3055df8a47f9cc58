import { expect, it } from '@jest/globals';
import {
  RESOLVE_BRANCH,
  RESOLVE_LEAF,
  RESOLVE_SESSION_BRANCH,
  RESOLVE_SESSION_LEAF,
  TOUCH_API_KEYS,
  VALID_KEYS,
} from '../../src/auth/scope.sql.js';
import { useTree } from '../support/world/tree.js';
import type { Branch, Tree, TreeKey } from '../support/world/tree.js';

let tree: Tree;
useTree((created) => (tree = created));

const rows = async (text: string, values: unknown[], name?: string) =>
  (await tree.pool.query<object>({ name, text, values })).rows;

const covers = (bound: number | null, id: number) => bound === null || bound === id;

/** What a key finds of a path that names a branch. */
function expectedBranch(key: TreeKey, at: Branch) {
  const organization = covers(key.organization, at.organization);
  const project = organization && covers(key.project, at.project);
  const application = project && covers(key.application, at.application);
  return {
    key_id: key.id,
    organizationId: organization ? at.organization : null,
    projectId: project ? at.project : null,
    applicationId: application ? at.application : null,
    eventId: application ? at.event : null,
    ...{ userId: null, listId: null, occurrenceId: null },
    stored_bytes: organization ? at.organization * 1000 : 0,
  };
}

/** The same of a path that also names a person, and a list and an occurrence of another branch. */
function expectedLeaf(key: TreeKey, at: Branch, other: Branch) {
  const branch = expectedBranch(key, at);
  const isOccurrenceFound =
    branch.organizationId === other.organization &&
    covers(key.project, other.project) &&
    covers(key.application, other.application);
  return {
    ...branch,
    userId: branch.organizationId === null ? null : at.user,
    listId: branch.projectId === other.project ? other.list : null,
    occurrenceId: isOccurrenceFound ? other.occurrence : null,
  };
}

it('finds for every key exactly what lies within its reach', async () => {
  const { keys, branches } = tree;
  expect([keys.length, branches.length]).toEqual([15, 8]);
  // All branches look alike: the keys are their own, or of a neighbour.
  for (const key of keys)
    for (const at of [branches[0]!, branches.at(-1)!]) {
      const names = [key.hash, at.org, at.prj, at.app, 'paid'];
      expect(await rows(RESOLVE_BRANCH, names, 'branch')).toEqual([expect.objectContaining(expectedBranch(key, at))]);
      for (const other of branches) {
        const found = await rows(RESOLVE_LEAF, [...names, 'ann@x.test', other.list, other.occurrence], 'leaf');
        expect(found).toEqual([expect.objectContaining(expectedLeaf(key, at, other))]);
      }
    }
});

it('finds nothing that the path does not name, and no key that does not exist', async () => {
  const [{ hash }] = tree.keys as [TreeKey];
  const nothing = { organizationId: null, projectId: null, userId: null, listId: null, occurrenceId: null };
  const nulls = Array.from({ length: 7 }, () => null);
  expect(await rows(RESOLVE_BRANCH, [hash, ...nulls.slice(3)])).toEqual([expect.objectContaining(nothing)]);
  expect(await rows(RESOLVE_LEAF, [hash, ...nulls])).toEqual([expect.objectContaining(nothing)]);
  const [{ org, prj, app, organization, application }] = tree.branches as [Branch];
  const wrong = { organizationId: organization, applicationId: application, eventId: null, userId: null };
  const found = await rows(RESOLVE_LEAF, [hash, org, prj, app, 'nowhere', 'bob@x.test', null, null]);
  expect(found).toEqual([expect.objectContaining(wrong)]);
  const unknown = [Buffer.alloc(32), org, prj, app, 'paid'];
  expect(await rows(RESOLVE_BRANCH, unknown)).toEqual([]);
  expect(await rows(RESOLVE_LEAF, [...unknown, 'ann@x.test', null, null])).toEqual([]);
});

it('finds a session with the rights of its key, until one of the two ends', async () => {
  const [hour, past, future] = [3_600_000, -1000, 60_000].map((ms) => new Date(Date.now() + ms)) as [Date, Date, Date];
  const live = { via: 'key', expires_at: future, last_used_at: new Date(Date.now() - 600_000), permissions: [] };
  const [{ org, organization }] = tree.branches as [Branch];
  const own = { organization, project: null, application: null };
  const key = (columns: object = {}) => tree.key({ ...columns }, own);
  const sessions: [isLive: boolean, TreeKey][] = [
    [true, await tree.key({ ...live, parent_id: (await key({ expires_at: hour })).id }, own)],
    [true, await tree.key({ ...live, via: 'link', permissions: ['user:read'] }, own)],
    [false, await tree.key({ ...live, parent_id: (await key({ revoked_at: past })).id }, own)],
    [false, await tree.key({ ...live, parent_id: (await key({ expires_at: past })).id }, own)],
    [false, await tree.key({ ...live, expires_at: past }, own)],
    [false, await tree.key({ ...live, last_used_at: new Date(Date.now() - 12 * 3_600_000) }, own)],
    [false, await tree.key({ ...live, via: 'link', last_used_at: null }, own)],
  ];
  const found = expect.objectContaining({ organizationId: organization, permissions: ['user:read'] }) as object;
  for (const [isLive, { id, hash }] of sessions) {
    const branch = [hash, org, null, null, null];
    expect(await rows(RESOLVE_SESSION_BRANCH, branch)).toEqual(isLive ? [found] : []);
    expect(await rows(RESOLVE_SESSION_LEAF, [...branch, null, null, null])).toEqual(isLive ? [found] : []);
    expect(await rows(VALID_KEYS, [[id]])).toEqual(isLive ? [{ id, projectId: null, permissions: ['user:read'] }] : []);
    expect(await rows(RESOLVE_BRANCH, branch)).toEqual([]);
    expect(await rows(RESOLVE_LEAF, [...branch, null, null, null])).toEqual([]);
  }
  expect(await rows(RESOLVE_SESSION_BRANCH, [(await key()).hash, org, null, null, null])).toEqual([]);
});

it('keeps the streams of keys that are neither revoked nor expired', async () => {
  const ids: number[] = [];
  for (const columns of [{}, { expires_at: '2100-01-01' }, { expires_at: new Date() }, { revoked_at: new Date() }])
    ids.push((await tree.key(columns)).id);
  const valid = ids.slice(0, 2).map((id) => ({ id, projectId: null, permissions: ['user:read'] }));
  expect(await rows(`${VALID_KEYS} order by id`, [ids])).toEqual(valid);
});

it('notes the use of keys that were not used in the last minute', async () => {
  const ago = (seconds: number) => ({ last_used_at: new Date(Date.now() - seconds * 1000) });
  const ids: number[] = [];
  for (const columns of [{}, ago(61), ago(50)]) ids.push((await tree.key(columns)).id);
  await rows(TOUCH_API_KEYS, [ids]);
  const used = await rows(`select id from api_keys where last_used_at > now() - interval '40 seconds' order by id`, []);
  expect(used).toEqual(ids.slice(0, 2).map((id) => ({ id })));
});
