import { ProvisioningError } from '../file.js';
import type { OrganizationEntry, ProjectEntry } from '../file.js';
import type { ExportParts, Pages } from './export-parts.js';

/** What fits into a body when it is applied. A user may have 256 KB of custom fields. */
const MAX_USERS = 10_000;
const MAX_MB = 4;

/** The users and members that were read. */
interface Count {
  users: number;
  bytes: number;
}

/** Reads the whole export into memory. */
export async function readEntry({ head, users, projects }: ExportParts): Promise<OrganizationEntry> {
  const count = { users: 0, bytes: 0 };
  const read = users && (await all(users, count));
  const entries: ProjectEntry[] = [];
  // One after the other: they share a connection, and those that are left must not use it after the first has failed.
  for (const project of projects) entries.push(await readProject(project, count));
  return { ...head, ...(read && { users: read }), projects: entries } as OrganizationEntry;
}

async function readProject({ head, lists, applications }: ExportParts['projects'][number], count: Count) {
  const entries = [];
  for (const list of lists)
    entries.push({ ...list.head, ...(list.members && { members: await all(list.members, count) }) });
  return { ...head, distribution_lists: entries, applications } as ProjectEntry;
}

async function all<Entry>(pages: Pages<Entry>, count: Count): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const page of pages) {
    entries.push(...page);
    count.users += page.length;
    count.bytes += Buffer.byteLength(JSON.stringify(page));
    if (count.users > MAX_USERS) throw tooMany(MAX_USERS.toLocaleString('en'));
    if (count.bytes > MAX_MB * 1024 * 1024) throw tooMany(`${MAX_MB} MB of`);
  }
  return entries;
}

const tooMany = (most: string) =>
  new ProvisioningError([
    `There are more than ${most} users and members. Export the configuration without users, and list them.`,
  ]);

/** The opposite: an entry that a service has sent, as parts of a file. */
export function partsOfEntry({ users, projects = [], ...head }: OrganizationEntry): ExportParts {
  return {
    head: { ...head },
    users: users ? [users] : null,
    projects: projects.map(({ distribution_lists: lists = [], applications = [], ...project }) => ({
      ...{ head: project, applications },
      lists: lists.map(({ members, ...list }) => ({ head: list, members: members ? [members] : null })),
    })),
  };
}
