import { ProvisioningError } from '../file.js';
import type { OrganizationEntry, ProjectEntry } from '../file.js';
import type { ExportParts, Pages } from './export-parts.js';

/** As many as a body may have when it is applied. */
const MAX_USERS = 10_000;

/** Reads the whole export into memory. */
export async function readEntry({ head, users, projects }: ExportParts): Promise<OrganizationEntry> {
  const count = { left: MAX_USERS };
  return {
    ...head,
    ...(users && { users: await all(users, count) }),
    projects: await Promise.all(projects.map((project) => readProject(project, count))),
  } as OrganizationEntry;
}

async function readProject({ head, lists, applications }: ExportParts['projects'][number], count: { left: number }) {
  const entries = [];
  for (const { name, members } of lists) entries.push({ name, ...(members && { members: await all(members, count) }) });
  return { ...head, distribution_lists: entries, applications } as ProjectEntry;
}

async function all<Entry>(pages: Pages<Entry>, count: { left: number }): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const page of pages) {
    entries.push(...page);
    if ((count.left -= page.length) < 0)
      throw new ProvisioningError([
        `There are more than ${MAX_USERS.toLocaleString('en')} users and members. Export the configuration without users, and list them.`,
      ]);
  }
  return entries;
}

/** The opposite: an entry that a service has sent, as parts of a file. */
export function partsOfEntry({ users, projects = [], ...head }: OrganizationEntry): ExportParts {
  return {
    head: { ...head },
    users: users ? [users] : null,
    projects: projects.map(({ distribution_lists: lists = [], applications = [], ...project }) => ({
      ...{ head: project, applications },
      lists: lists.map(({ name, members }) => ({ name, members: members ? [members] : null })),
    })),
  };
}
