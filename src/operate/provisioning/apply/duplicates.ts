import { listKey } from '../../../api/distribution-list/list-key.js';
import type { ProvisioningFile } from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';

/** Finds entries that are listed twice: each would be applied, and `--prune` would delete the rows that the other one lists. */
export function findDuplicates(file: ProvisioningFile, problems: FileProblems): void {
  const check = <Entry extends object>(entries: Entry[] = [], keyOf: (entry: Entry) => string): void => {
    const seen = new Set<string>();
    for (const entry of entries) {
      if (seen.has(keyOf(entry))) problems.addOne(entry, '', 'duplicate', 'is listed twice');
      seen.add(keyOf(entry));
    }
  };
  const slugOf = ({ slug }: { slug: string }) => slug;
  check(file.organizations, slugOf);
  for (const organization of file.organizations) {
    check(organization.channels, slugOf);
    check(organization.layouts, slugOf);
    check(organization.partials, slugOf);
    check(organization.projects, slugOf);
    for (const project of organization.projects ?? []) {
      check(project.channels, slugOf);
      check(project.layouts, slugOf);
      check(project.partials, slugOf);
      check(project.categories, slugOf);
      check(project.distribution_lists, ({ name }) => listKey(name));
      check(project.applications, slugOf);
      for (const { events } of project.applications ?? []) {
        check(events, slugOf);
        for (const { notifications } of events ?? []) check(notifications, ({ name }) => name);
      }
    }
  }
}
