/** A thing as nested objects: what a merge walks through. */
export type Tree = Readonly<Record<string, unknown>>;

/** A place in a thing, such as `['config', 'host']`. */
type Place = readonly string[];

export type Side = 'mine' | 'theirs';

interface Versions {
  /** What both began with. */
  base: Tree;
  mine: Tree;
  theirs: Tree;
}

export interface Merged {
  merged: Tree;
  /** The places that both have changed, each in another way, as JSON: the keys of `chosen`. */
  conflicts: string[];
}

/**
 * Puts together what two have made of one version. A value that only one of them has changed is taken from that one. Of a value that both
 * have changed, the side in `chosen` is taken; without a choice, theirs.
 */
export function mergeTrees(
  versions: Versions,
  isDeep: (place: Place) => boolean,
  chosen: ReadonlyMap<string, Side> = new Map(),
  place: Place = [],
): Merged {
  const { base, mine, theirs } = versions;
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const conflicts: string[] = [];
  const entries: [string, unknown][] = [];
  for (const name of names) {
    const [was, own, other] = [base[name], mine[name], theirs[name]];
    const here = [...place, name];
    if (isSame(own, other) || isSame(was, own)) entries.push([name, other]);
    else if (isSame(was, other)) entries.push([name, own]);
    else if (isDeep(here) && isTree(own) && isTree(other)) {
      // Both may have made it.
      const inner = mergeTrees({ base: isTree(was) ? was : {}, mine: own, theirs: other }, isDeep, chosen, here);
      conflicts.push(...inner.conflicts);
      entries.push([name, inner.merged]);
    } else {
      const key = JSON.stringify(here);
      conflicts.push(key);
      entries.push([name, chosen.get(key) === 'mine' ? own : other]);
    }
  }
  return { merged: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), conflicts };
}

/** The fields of `next` that are not the same in `before`. */
export const changedFields = (before: Tree, next: Tree): Tree =>
  Object.fromEntries(Object.entries(next).filter(([name, value]) => !isSame(before[name], value)));

/** Whether two values are the same JSON, in whatever order their fields are. */
export const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

const sorted = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    isTree(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
