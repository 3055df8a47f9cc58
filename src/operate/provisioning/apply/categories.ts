import { putCategory } from '../../../api/category/category.write.js';
import type { CategoryContext } from '../../../api/category/category.write.js';
import type { ProjectOwner } from '../../../api/project/project.write.js';
import { differencesOf } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import type { CategoryEntry } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';
import { DIGEST_AT } from '../../../rules/frequency/category-digests.js';

/** Creates and updates the categories of a project; `parent` is its path. A field that the file leaves out gets its default. */
export async function applyCategories(
  context: CategoryContext & { problems: FileProblems },
  place: ProjectOwner,
  entries: CategoryEntry[],
  parent: string,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const each of entries) {
    const { slug, ...entry } = each;
    const path = `${parent}/${slug}`;
    const fields = { ...DEFAULTS, ...entry };
    const put = await putCategory(context, place, { slug }, fields);
    if ('errors' in put) context.problems.addAll(each, put.errors);
    else changes.push(...changesOf('category', path, { ...put, differences: put.differences.flatMap(byChannel) }));
  }
  return changes;
}

const DEFAULTS = { description: '', default: 'on' as const, channels: {}, frequencies: [], digest_at: DIGEST_AT };

/** Splits a change of `channels` into one difference for each channel type. */
function byChannel(difference: Difference): Difference[] {
  if (difference.field !== 'channels') return [difference];
  const { before, after } = difference as { before: Record<string, string>; after: Record<string, string> };
  return differencesOf(before, after, 'channels.');
}
