import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  END_OLDEST,
  FIND_KEY_TO_TRY,
  FIND_PLACE,
  FIND_SESSIONS,
  INSERT_OF_KEY,
  USE_LINK,
} from '../../src/api/session/session.sql.js';
import { useTree } from '../support/world/tree.js';
import type { Branch, Tree, TreeKey } from '../support/world/tree.js';

let tree: Tree;
useTree((created) => (tree = created));

const rows = async (text: string, values: unknown[]) => (await tree.pool.query<{ id: number }>(text, values)).rows;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const inOrganization = ({ organization }: Branch) => ({ organization, project: null, application: null });
const newHash = () => randomBytes(32).toString('hex');

/** Of a session that has begun and has not ended. */
const live = () => ({ via: 'key', expires_at: inMinutes(60), last_used_at: new Date() });
/** Of a link that nobody has used. */
const unused = () => ({ via: 'link', expires_at: inMinutes(15), last_used_at: null });

describe('a session of a key', () => {
  const open = async ({ id }: TreeKey) => rows(INSERT_OF_KEY, [id, 'key', newHash(), '7 days', true]);

  it('begins only while the key is valid', async () => {
    expect(await open(await tree.key())).toHaveLength(1);
    expect(await open(await tree.key({ expires_at: inMinutes(1) }))).toHaveLength(1);
    for (const ended of [{ revoked_at: new Date() }, { expires_at: new Date() }, live()])
      expect(await open(await tree.key(ended))).toEqual([]);
  });
});

describe('a link', () => {
  const use = ({ hash }: TreeKey) => rows(USE_LINK, [hash.toString('hex'), newHash()]);
  const linkOf = async (columns: object) => tree.key({ ...unused(), parent_id: (await tree.key({ ...columns })).id });

  it('of a command works once, until it expires', async () => {
    const [link, late] = [await tree.key(unused()), await tree.key({ ...unused(), expires_at: new Date() })];
    expect(await use(link)).toEqual([{ id: link.id }]);
    expect(await use(link)).toEqual([]);
    expect(await use(late)).toEqual([]);
  });

  it('of a key works while that key is valid, and its session ends with it', async () => {
    const until = inMinutes(60);
    const link = await linkOf({ expires_at: until });
    expect(await use(link)).toEqual([{ id: link.id }]);
    expect(await rows('select expires_at from api_keys where id = $1', [link.id])).toEqual([{ expires_at: until }]);
    const ended = [await linkOf({ revoked_at: new Date() }), await linkOf({ expires_at: new Date() })];
    for (const other of ended) expect(await use(other)).toEqual([]);
  });
});

describe('the oldest sessions end', () => {
  /** Creates one after the other, all of the second organization. Returns their ids. */
  async function create(...columns: object[]): Promise<number[]> {
    const ids: number[] = [];
    for (const row of columns) {
      const { id } = await tree.key({ ...row, created_at: inMinutes(ids.length) }, inOrganization(tree.branches[7]!));
      ids.push(id);
    }
    return ids;
  }

  const end = async (newest: number | undefined, perKey: number, perOrganization: number) =>
    (await rows(END_OLDEST, [newest, perKey, perOrganization])).map(({ id }) => id);

  beforeEach(() => tree.pool.query('delete from api_keys where via is not null'));

  it('of a key: neither links nor sessions of others count', async () => {
    const [own, other] = [{ parent_id: (await tree.key()).id }, { parent_id: (await tree.key()).id }];
    const [ofOwn, ofOther] = [own, other].map((key) => ({ ...live(), ...key })) as [object, object];
    const ids = await create(ofOwn, ofOther, ofOwn, { ...unused(), ...own }, ofOwn);
    expect(await end(ids.at(-1), 2, 10)).toEqual([ids[0]]);
  });

  it('of a person at one provider', async () => {
    const ann = { ...live(), via: 'oidc', person: 'ann', provider: 'one' };
    const ids = await create(ann, { ...ann, person: 'bob' }, { ...ann, provider: 'two' }, ann, ann);
    expect(await end(ids.at(-1), 2, 10)).toEqual([ids[0]]);
  });

  it('of an organization, and of operators: neither links nor keys count', async () => {
    const operator = await tree.key(live());
    const ids = await create(live(), live(), unused(), { last_used_at: new Date() }, live());
    expect(await end(ids.at(-1), 10, 2)).toEqual([ids[0]]);
    expect(await end(operator.id, 10, 1)).toEqual([]);
    expect(await end((await tree.key({ ...live(), created_at: inMinutes(9) })).id, 10, 1)).toEqual([operator.id]);
  });

  it('of an organization: none of a wider reach, and none with more permissions', async () => {
    const { organization, project, application } = tree.branches[7]!;
    const add = async (minutes: number, columns: object, reach: Parameters<typeof tree.key>[1]) =>
      (await tree.key({ ...live(), created_at: inMinutes(minutes), ...columns }, reach)).id;
    const whole = { organization, project: null, application: null };
    const inProject = { organization, project, application: null };
    await add(0, {}, whole);
    await add(1, { permissions: ['user:read', 'user:write'] }, inProject);
    const weak = await add(2, {}, { organization, project, application });
    const weaker = await add(3, { permissions: [] }, inProject);
    expect(await end(await add(4, {}, inProject), 10, 3)).toEqual([weak, weaker]);
    expect(await end(await add(5, {}, inProject), 10, 1)).toHaveLength(1);
  });
});

it('lists the sessions within the reach of a key', async () => {
  await tree.pool.query('delete from api_keys where via is not null');
  const sessions: TreeKey[] = [];
  // A key that expires looks like a session, and is none.
  for (const { organization, project, application } of tree.keys.slice(1)) {
    const reach = { organization, project, application };
    await tree.key({ ...live(), via: null }, reach);
    sessions.push(await tree.key(live(), reach));
  }
  for (const { organization, project, application } of tree.keys.slice(1)) {
    const found = await rows(FIND_SESSIONS, [organization, project, application, 0, null, 100]);
    const within = sessions.filter(
      (session) =>
        session.organization === organization &&
        (project === null || session.project === project) &&
        (application === null || session.application === application),
    );
    expect(found.map(({ id }) => id)).toEqual(within.map(({ id }) => id));
  }
});

it('finds the place that a group of people is bound to', async () => {
  for (const { organization, org, project, prj, application, app } of tree.branches) {
    const at = (organizationId: number, projectId: number | null, applicationId: number | null) => [
      { organizationId, projectId, applicationId },
    ];
    expect(await rows(FIND_PLACE, [org, null, null])).toEqual(at(organization, null, null));
    expect(await rows(FIND_PLACE, [org, prj, null])).toEqual(at(organization, project, null));
    expect(await rows(FIND_PLACE, [org, prj, app])).toEqual(at(organization, project, application));
  }
  for (const wrong of [
    ['no', null, null],
    ['acme', 'no', null],
    ['acme', 'shop', 'no'],
    ['acme', null, 'web'],
  ])
    expect(await rows(FIND_PLACE, wrong)).toEqual([]);
});

it('tries the service with the newest key of an operator that may do everything, or else with that of the demo', async () => {
  const find = () => rows(FIND_KEY_TO_TRY, [2]);
  const all = { permissions: ['user:read', 'user:write'] };
  const { rows: demo } = await tree.pool.query<{ organization: number; project: number }>(
    `with demo as (insert into organizations (slug, name) values ('demo', 'Demo') returning id)
     insert into projects (organization_id, slug, name) select id, 'demo', 'Demo' from demo returning organization_id organization, id project`,
  );
  const { organization, project } = demo[0]!;
  const inDemo = { organization, project: null, application: null };
  await tree.key({ ...all, name: 'demo' }, inOrganization(tree.branches[0]!));
  await tree.key({ ...all, name: 'other' }, inDemo);
  await tree.key({ ...all, name: 'demo' }, { ...inDemo, project });
  expect(await find()).toEqual([]);
  const { id } = await tree.key({ ...all, name: 'demo' }, inDemo);
  for (const columns of [
    { revoked_at: new Date() },
    { expires_at: new Date() },
    live(),
    { permissions: ['user:read'] },
  ])
    await tree.key({ ...all, ...columns });
  expect(await find()).toEqual([{ id }]);
  for (const columns of [{}, { expires_at: inMinutes(1) }]) {
    const newest = await tree.key({ ...all, ...columns });
    expect(await find()).toEqual([{ id: newest.id }]);
  }
});
