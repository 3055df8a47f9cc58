import { changedFields, mergeTrees } from './merge';
import type { Side, Tree } from './merge';

/** A thing as somebody saw it when they began to change it, and its version. */
export interface Seen<Thing> {
  thing: Thing;
  etag: string | undefined;
}

/** Texts by readable names: as they are on one side, and on the other. */
export type Differences = Record<string, [one: string, other: string]>;

/** What both have changed, each in another way. */
export interface Conflict {
  key: string;
  /** The parts of it, theirs and mine. */
  parts: Differences;
}

/** How two changes go together. */
export interface Merge {
  conflicts: Conflict[];
  /** The names of the parts that only you have changed. */
  mine: string[];
  /** Saves both. Of a conflict without a choice, theirs is kept. */
  save: (chosen: ReadonlyMap<string, Side>) => void;
}

/** What a merge walks through, if that is not the thing itself. */
export interface Shape<Thing> {
  toTree?: (thing: Thing) => Tree;
  fromTree?: (tree: Tree) => Thing;
  /** Whether the fields of the object at this place are merged one by one. Left out: those of every field. */
  isDeep?: (place: readonly string[]) => boolean;
}

/** A change that can be put together with another one. */
export interface Mergeable<Thing extends object, Given> {
  seen: () => Seen<Thing>;
  /** The fields as the change would leave them. Left out: the change cannot be merged. */
  fields?: (given: Given) => object;
  /** Whether the change sends all of its fields, as a `PUT` does. */
  isPut?: true;
  shape?: Shape<Thing>;
  /** The parts of a thing as texts, by readable names. */
  partsOf?: (thing: Thing) => Record<string, string>;
}

/** What a change sends over this version. */
export function bodyOver<Thing extends object, Given>(
  edit: Mergeable<Thing, Given>,
  given: Given,
  over: Thing,
): object {
  const fields = edit.fields?.(given) ?? {};
  return edit.isPut ? fields : changedFields(over as Tree, fields as Tree);
}

const asTree = (thing: object) => thing as Tree;
const isField = (place: readonly string[]) => place.length === 1;

/** How a change goes together with what others have saved since it began. */
export function mergeOf<Thing extends object, Given>(
  edit: Mergeable<Thing, Given>,
  given: Given,
  now: Thing,
  write: (body: object) => unknown,
): Merge | null {
  if (!edit.fields) return null;
  const { toTree = asTree, fromTree = (tree: Tree) => tree as Thing, isDeep = isField } = edit.shape ?? {};
  const base = edit.seen().thing;
  const fields = edit.fields(given);
  const versions = { base: toTree(base), mine: toTree({ ...base, ...fields }), theirs: toTree(now) };
  const mergedWith = (chosen?: ReadonlyMap<string, Side>) => fromTree(mergeTrees(versions, isDeep, chosen).merged);
  const theirs = mergedWith();
  const keys = mergeTrees(versions, isDeep).conflicts;
  return {
    conflicts: keys.map((key) => ({ key, parts: differencesOf(edit, theirs, mergedWith(new Map([[key, 'mine']]))) })),
    mine: Object.keys(differencesOf(edit, now, theirs)),
    save: (chosen) => {
      const merged = mergedWith(chosen) as Tree;
      const own = Object.fromEntries(Object.keys(fields).map((name) => [name, merged[name]]));
      write(edit.isPut ? own : changedFields(now as Tree, own));
    },
  };
}

/** The parts that differ between two versions. */
export function differencesOf<Thing extends object>(
  { partsOf = textsOf }: { partsOf?: (thing: Thing) => Record<string, string> },
  one: Thing,
  other: Thing,
): Differences {
  const [before, after] = [partsOf(one), partsOf(other)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(differing.map((name) => [name, [before[name] ?? '', after[name] ?? '']]));
}

/** The fields, and those of its objects one level down, such as `config.host`. */
function textsOf(thing: object, prefix = ''): Record<string, string> {
  const entries = Object.entries(thing).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && prefix === '') return Object.entries(textsOf(value, `${name}.`));
    return [[`${prefix}${name}`, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(entries);
}
