import { NOUNS, nameOf, valueAt } from './file-path.js';
import type { FilePath } from './file-path.js';
import type { FileProblems } from './file-problems.js';

/** Entries with other entries inside, which are still checked if only a field of the entry itself is wrong. */
const CONTAINERS = new Set(['organizations', 'projects', 'applications', 'events']);

/**
 * Removes what has another shape than the schema describes, so that the rest of the file can be checked too. Returns false if nothing
 * is left to check.
 */
export function removeInvalid(root: unknown, paths: FilePath[], problems: FileProblems): boolean {
  const entries = paths.map((path) => entryIn(root, path));
  if (entries.includes(null)) return false;
  const removed = new Set<unknown>();
  for (const each of entries) {
    const { entry, field, isContainer } = each!;
    // A field that is not there is a required one.
    if (isContainer && field !== undefined && field in entry) continue;
    problems.addBroken(nameOf(entry));
    removed.add(entry);
  }
  for (const list of new Set(entries.map((each) => each!.list))) {
    const kept = list.filter((entry) => !removed.has(entry));
    list.length = 0;
    for (const entry of kept) list.push(entry);
  }
  for (const each of entries) if (each!.isContainer && each!.field !== undefined) delete each!.entry[each!.field];
  return true;
}

/** The innermost entry around a value that a text can name, the list that it is in, and the field; null: there is none. */
function entryIn(root: unknown, path: FilePath) {
  const i = path.findLastIndex((step, at) => typeof step === 'number' && NOUNS[String(path[at - 1])] !== undefined);
  if (i === -1) return null;
  return {
    entry: valueAt(root, path.slice(0, i + 1)) as Record<string, unknown>,
    list: valueAt(root, path.slice(0, i)) as unknown[],
    field: path[i + 1],
    isContainer: CONTAINERS.has(String(path[i - 1])),
  };
}
