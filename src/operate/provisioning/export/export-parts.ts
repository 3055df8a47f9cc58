import type { ClientBase } from 'pg';
import type { ApplicationEntry, DistributionListEntry, MemberEntry, UserEntry } from '../file.js';
import type { Configuration } from './export-configuration.js';
import { membersOf, usersOf } from './export-users.js';

/** A page after the other, so that a million users are never in memory at once. */
export type Pages<Entry> = AsyncIterable<Entry[]> | Iterable<Entry[]>;

/** An organization in the order of a file. */
export interface ExportParts {
  /** The fields before `users`. */
  head: Record<string, unknown>;
  /** Null: left out. */
  users: Pages<UserEntry> | null;
  projects: {
    /** The fields before `distribution_lists`. */
    head: object;
    lists: { head: Omit<DistributionListEntry, 'members'>; members: Pages<string | MemberEntry> | null }[];
    applications: ApplicationEntry[];
  }[];
}

/** With `client`, users and members are read from it. */
export function exportOf(configuration: Configuration, client: ClientBase | null): ExportParts {
  const { organizationId, slug, name, quotas, settings, channels, fragments, projects, isPart } = configuration;
  const own = Object.keys(quotas).length > 0 && { quotas };
  return {
    head: isPart ? { slug, name } : { slug, name, ...own, ...settings, channels, ...fragments },
    users: client && !isPart ? usersOf(client, organizationId) : null,
    projects: projects.map(({ lists, applications, channelOf, fields }) => ({
      ...{ head: fields, applications },
      lists: lists.map(({ id, name, open, description }) => ({
        head: { name, ...(open && { open }), ...(description !== '' && { description }) },
        members: client && membersOf(client, id, channelOf),
      })),
    })),
  };
}

/** Only this project, without anything of the organization itself; null: all of it. */
export function partOf(configuration: Configuration, projectId: number | null): Configuration {
  if (projectId === null) return configuration;
  const projects = configuration.projects.filter(({ id }) => id === projectId);
  return { ...configuration, projects, isPart: true };
}
