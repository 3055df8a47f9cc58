import { ProvisioningError } from '../file.js';
import type { OrganizationEntry, ProjectEntry } from '../file.js';
import type { ExportParts, Pages } from './export-parts.js';

/** As many as a body may have when it is applied. */
const MAX_USERS = 10_000;

/** Reads the whole export into memory. */
export async function readEntry({ head, users, projects }: ExportParts): Promise<OrganizationEntry> {
  const count = { left: MAX_USERS };
  const read = users && (await all(users, count));
  const entries: ProjectEntry[] = [];
  // One after the other: they share a connection, and those that are left must not use it after the first has failed.
  for (const project of projects) entries.push(await readProject(project, count));
  return { ...head, ...(read && { users: read }), projects: entries } as OrganizationEntry;
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
