import { expect, it } from '@jest/globals';
import { consoleBundle } from '../support/console-bundle.js';

type Tree = Readonly<Record<string, unknown>>;
type Chosen = ReadonlyMap<string, 'mine' | 'theirs'>;
interface Merge {
  mergeTrees(
    versions: Record<'base' | 'mine' | 'theirs', Tree>,
    isDeep: (place: readonly string[]) => boolean,
    chosen?: Chosen,
  ): { merged: Tree; conflicts: string[] };
  changedFields(before: Tree, next: Tree): Tree;
  isSame(one: unknown, other: unknown): boolean;
}

const { changedFields, isSame, mergeTrees } = consoleBundle('api/merge.ts') as Merge;
const oneLevel = (place: readonly string[]) => place.length === 1;
const merge = (base: Tree, mine: Tree, theirs: Tree, chosen?: Chosen) =>
  mergeTrees({ base, mine, theirs }, oneLevel, chosen);
const BASE = { name: 'Mail', config: { host: 'a.test', port: 25 }, days: ['mon'] };
const HOST = JSON.stringify(['config', 'host']);

it('two changes of different fields are both kept, also within an object', () => {
  const mine = { ...BASE, config: { host: 'b.test', port: 25 } };
  const theirs = { ...BASE, name: 'Post', config: { host: 'a.test', port: 587 } };
  const merged = { ...BASE, name: 'Post', config: { host: 'b.test', port: 587 } };
  expect(merge(BASE, mine, theirs)).toEqual({ merged, conflicts: [] });
});

it('of a field that both have changed, the chosen side is kept, and theirs without a choice', () => {
  const mine = { ...BASE, config: { host: 'b.test', port: 25 }, days: ['tue'] };
  const theirs = { ...BASE, config: { host: 'c.test', port: 25 }, days: ['wed'] };
  const conflicts = [HOST, '["days"]'];
  expect(merge(BASE, mine, theirs)).toEqual({ merged: theirs, conflicts });
  const merged = { ...theirs, config: mine.config };
  expect(merge(BASE, mine, theirs, new Map([[HOST, 'mine']]))).toEqual({ merged, conflicts });
});

it('the same change of both is no conflict, in whatever order its fields are', () => {
  const [mine, theirs] = [{ config: { host: 'b', port: 1 } }, { config: { port: 1, host: 'b' } }];
  expect(merge(BASE, { ...BASE, ...mine }, { ...BASE, ...theirs }).conflicts).toEqual([]);
  expect(isSame(mine, theirs)).toBe(true);
});

it('what one has removed is gone, unless the other has changed it', () => {
  const { config: _, ...without } = BASE;
  expect(merge(BASE, without, BASE)).toEqual({ merged: without, conflicts: [] });
  const theirs = { ...BASE, config: { host: 'c.test', port: 25 } };
  expect(merge(BASE, without, theirs)).toEqual({ merged: theirs, conflicts: ['["config"]'] });
  expect(merge(BASE, without, theirs, new Map([['["config"]', 'mine']])).merged).toEqual(without);
});

it('what both have made is merged field by field', () => {
  const [mine, theirs] = [{ texts: { de: 'Hallo' } }, { texts: { fr: 'Salut' } }];
  const merged = { texts: { de: 'Hallo', fr: 'Salut' } };
  expect(merge({ texts: null }, mine, theirs)).toEqual({ merged, conflicts: [] });
});

it('a change sends only the fields that differ', () => {
  expect(changedFields(BASE, { name: 'Post', config: { port: 25, host: 'a.test' } })).toEqual({ name: 'Post' });
});
