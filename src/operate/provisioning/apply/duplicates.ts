import { listKey } from '../../../api/distribution-list/list-key.js';
import { MAX_PROBLEMS, ProvisioningError } from '../file.js';
import type { ProvisioningFile } from '../file.js';

/** Refuses entries that are listed twice: each would be applied, and `--prune` would delete the rows that the other one lists. */
export function refuseDuplicates(file: ProvisioningFile): void {
  const problems: string[] = [];
  const check = (noun: string, parent: string, names: string[]) => {
    const duplicates = names.filter((name, i) => names.indexOf(name) < i);
    problems.push(...duplicates.map((name) => `${noun} ${[parent, name].filter(Boolean).join('/')}: is listed twice`));
  };
  const slugs = (entries: { slug: string }[] = []) => entries.map(({ slug }) => slug);
  check('organization', '', slugs(file.organizations));
  for (const organization of file.organizations) {
    check('channel', organization.slug, slugs(organization.channels));
    check('project', organization.slug, slugs(organization.projects));
    for (const project of organization.projects ?? []) {
      const path = `${organization.slug}/${project.slug}`;
      check('channel', path, slugs(project.channels));
      check('category', path, slugs(project.categories));
      const lists = project.distribution_lists ?? [];
      check(
        'distribution list',
        path,
        lists.map(({ name }) => listKey(name)),
      );
      check('application', path, slugs(project.applications));
      for (const { slug, events } of project.applications ?? []) {
        check('event', `${path}/${slug}`, slugs(events));
        for (const event of events ?? [])
          check(
            'notification',
            `${path}/${slug}/${event.slug}`,
            (event.notifications ?? []).map(({ name }) => name),
          );
      }
    }
  }
  if (problems.length > 0) throw new ProvisioningError(problems.slice(0, MAX_PROBLEMS));
}
