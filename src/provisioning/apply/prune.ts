import type { ClientBase } from 'pg';
import { USERS_OF_CHANNELS } from '../../channel/channel-users.js';
import { listKey } from '../../distribution-list/list-key.js';
import { USERS_OF_LISTS } from '../../distribution-list/list-users.js';
import { emailKey } from '../../field/email.js';
import { renewRuleset } from '../../notification/renew-ruleset.js';
import { ProvisioningError } from '../file.js';
import type { ApplicationEntry, ChannelEntry, EventEntry, OrganizationEntry, ProjectEntry } from '../file.js';
import { counted } from './change.js';
import type { Change } from './change.js';

interface Row {
  id: number;
  label: string;
}

const emailOf = (member: string | { email: string }) => (typeof member === 'string' ? member : member.email);

/** A set, and no list to compare each row with: there may be a million of both. */
const UNNAMED = 'not exists (select from unnest($2::text[]) named(key) where named.key = u.email_key)';

const USERS_IN_PROJECT = [
  'delete from applications where project_id = any($1)',
  'delete from distribution_lists where project_id = any($1)',
  'update channels set fallback_id = null where project_id = any($1)',
];

/**
 * Deletes what the file does not name, inside the caller's transaction, once the rest was applied. Only in lists that the file
 * holds: without `users`, people are not the file's business. What others need is named, and then nothing is done.
 */
export class Prune {
  readonly changes: Change[] = [];

  constructor(private readonly client: ClientBase) {}

  async run(entry: OrganizationEntry): Promise<void> {
    const id = await this.idOf('organizations', 'slug = $1', [entry.slug]);
    const projects = entry.projects ?? [];
    for (const project of projects) await this.project(id, project, entry.slug);
    if (entry.projects) await this.projects(id, projects.map(slugOf), entry.slug);
    if (entry.channels)
      await this.channels('organization_id = $1 and project_id is null', id, entry.channels, entry.slug);
    if (entry.users) await this.users(id, entry);
  }

  private async projects(organizationId: number, named: string[], parent: string): Promise<void> {
    const rows = await this.unnamed('projects', 'organization_id = $1', organizationId, named);
    await this.countKeys('project_id', rows, parent);
    // First what uses its channels: PostgreSQL does not delete those while something does, even if that is to go too.
    for (const users of USERS_IN_PROJECT) await this.client.query(users, [rows.map(({ id }) => id)]);
    await this.delete('project', 'projects', rows, parent);
  }

  private async project(organizationId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const id = await this.idOf('projects', 'organization_id = $1 and slug = $2', [organizationId, entry.slug]);
    const name = `${parent}/${entry.slug}`;
    for (const application of entry.applications ?? []) await this.application(id, application, name);
    if (entry.applications) await this.applications(id, entry.applications.map(slugOf), name);
    if (entry.distribution_lists) await this.lists(id, entry, name);
    if (entry.channels) await this.channels('project_id = $1', id, entry.channels, name);
  }

  private async applications(projectId: number, named: string[], parent: string): Promise<void> {
    const rows = await this.unnamed('applications', 'project_id = $1', projectId, named);
    await this.countKeys('application_id', rows, parent);
    await this.delete('application', 'applications', rows, parent);
  }

  private async application(projectId: number, entry: ApplicationEntry, parent: string): Promise<void> {
    const id = await this.idOf('applications', 'project_id = $1 and slug = $2', [projectId, entry.slug]);
    const name = `${parent}/${entry.slug}`;
    for (const event of entry.events ?? []) await this.event(id, event, name);
    if (!entry.events) return;
    const rows = await this.unnamed('events', 'application_id = $1', id, entry.events.map(slugOf));
    await this.delete('event', 'events', rows, name);
  }

  private async event(applicationId: number, entry: EventEntry, parent: string): Promise<void> {
    if (!entry.notifications) return;
    const id = await this.idOf('events', 'application_id = $1 and slug = $2', [applicationId, entry.slug]);
    const names = entry.notifications.map(({ name }) => name);
    const rows = await this.unnamed('notifications', 'event_id = $1', id, names, 'name');
    await this.delete('notification', 'notifications', rows, `${parent}/${entry.slug}`);
    await renewRuleset(this.client, id);
  }

  private async lists(projectId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const entries = entry.distribution_lists ?? [];
    for (const { name, members } of entries) {
      if (!members) continue;
      const id = await this.idOf('distribution_lists', 'project_id = $1 and name_key = $2', [projectId, listKey(name)]);
      const gone = await this.client.query(
        `delete from members m using users u where m.list_id = $1 and u.id = m.user_id and ${UNNAMED}`,
        [id, members.map((member) => emailKey(emailOf(member)))],
      );
      this.changes.push(...counted('delete', gone.rowCount ?? 0, 'member', `${parent}/${name.trim()}`));
    }
    const named = entries.map(({ name }) => listKey(name));
    const rows = await this.unnamed('distribution_lists', 'project_id = $1', projectId, named, 'name_key', 'name');
    await this.refuseIfUsed('distribution list', USERS_OF_LISTS, rows, parent);
    await this.delete('distribution list', 'distribution_lists', rows, parent);
  }

  private async channels(where: string, ownerId: number, entries: ChannelEntry[], parent: string): Promise<void> {
    const rows = await this.unnamed('channels', where, ownerId, entries.map(slugOf));
    await this.refuseIfUsed('channel', USERS_OF_CHANNELS, rows, parent);
    await this.delete('channel', 'channels', rows, parent);
  }

  /** A person whom a list of the file names is named too. */
  private async users(organizationId: number, { slug, users = [], projects = [] }: OrganizationEntry): Promise<void> {
    const members = projects.flatMap(({ distribution_lists: lists = [] }) =>
      lists.flatMap((list) => list.members ?? []),
    );
    const keys = [...users.map(({ email }) => email), ...members.map(emailOf)].map(emailKey);
    const gone = await this.client.query(`delete from users u where organization_id = $1 and ${UNNAMED}`, [
      organizationId,
      keys,
    ]);
    this.changes.push(...counted('delete', gone.rowCount ?? 0, 'user', slug));
  }

  /** What the file does not name of an owner's; `where` is SQL for its id, $1. */
  private async unnamed(
    table: string,
    where: string,
    ownerId: number,
    named: string[],
    key = 'slug',
    label = key,
  ): Promise<Row[]> {
    const sql = `select id, ${label} label from ${table} where ${where} and ${key} <> all($2) order by id`;
    return (await this.client.query<Row>(sql, [ownerId, named])).rows;
  }

  /** Keys go with what they reach; whoever holds one should know. */
  private async countKeys(column: string, rows: Row[], parent: string): Promise<void> {
    const keys = await this.client.query(`select from api_keys where ${column} = any($1) and revoked_at is null`, [
      rows.map(({ id }) => id),
    ]);
    this.changes.push(...counted('delete', keys.rowCount ?? 0, 'API key', parent));
  }

  private async delete(noun: string, table: string, rows: Row[], parent: string): Promise<void> {
    if (rows.length === 0) return;
    await this.client.query(`delete from ${table} where id = any($1)`, [rows.map(({ id }) => id)]);
    this.changes.push(...rows.map(({ label }): Change => ({ verb: 'delete', noun, name: `${parent}/${label}` })));
  }

  private async refuseIfUsed(noun: string, sql: string, rows: Row[], parent: string): Promise<void> {
    if (rows.length === 0) return;
    const used = await this.client.query<{ label: string; user: string }>(sql, [rows.map(({ id }) => id)]);
    const problems = used.rows.map(
      ({ label, user }) => `${noun} ${parent}/${label}: cannot be deleted, ${user} uses it`,
    );
    if (problems.length > 0) throw new ProvisioningError(problems);
  }

  private async idOf(table: string, where: string, values: unknown[]): Promise<number> {
    const { rows } = await this.client.query<{ id: number }>(`select id from ${table} where ${where}`, values);
    return rows[0]!.id;
  }
}

const slugOf = ({ slug }: { slug: string }) => slug;
