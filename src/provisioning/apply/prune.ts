import { DELETION_RULES, findBlocked } from '../../deletion/deletion.js';
import type { Deletable } from '../../deletion/deletion.js';
import { listKey } from '../../distribution-list/list-key.js';
import { emailKey } from '../../field/email.js';
import { renewRuleset } from '../../notification/renew-ruleset.js';
import { lockRows, sqlArray } from '../../prisma/transaction.js';
import type { Transaction } from '../../prisma/transaction.js';
import { ProvisioningError } from '../file.js';
import type { ApplicationEntry, ChannelEntry, EventEntry, OrganizationEntry, ProjectEntry } from '../file.js';
import { counted } from './change.js';
import type { Change } from './change.js';
import { DELETE_UNNAMED_MEMBERS, DELETE_UNNAMED_USERS } from './prune.sql.js';

/** Something to delete; its path names it as in `acme/shop/web`. */
interface Row {
  id: number;
  path: string;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);
const slugOf = ({ slug }: { slug: string }) => slug;
const emailOf = (member: string | { email: string }) => (typeof member === 'string' ? member : member.email);
const slugSelect = { id: true, slug: true } as const;
const byId = { id: 'asc' } as const;

/**
 * Deletes what the file does not name, inside the caller's transaction, after the rest was applied. Only in lists that the file
 * holds: without `users`, people are not the file's business.
 *
 * Everything is deleted under the rules of src/deletion, as over HTTP. A project or application is deleted with everything in it, and each
 * thing in it under its own rule: one open occurrence keeps the whole branch. Then the error names it, and nothing is changed.
 */
export class Prune {
  readonly changes: Change[] = [];

  constructor(private readonly tx: Transaction) {}

  async run({ slug, projects, channels, users, ...entry }: OrganizationEntry): Promise<void> {
    const { id } = await this.tx.organization.findUniqueOrThrow({ where: { slug }, select: { id: true } });
    for (const project of projects ?? []) await this.project(id, project, slug);
    if (projects) await this.projects(id, projects.map(slugOf), slug);
    if (channels) await this.channels({ organizationId: id, projectId: null }, channels, slug);
    if (users) await this.users(id, { slug, projects, users, ...entry });
  }

  private async projects(organizationId: number, named: string[], parent: string): Promise<void> {
    const all = await this.tx.project.findMany({ where: { organizationId }, orderBy: byId, select: slugSelect });
    const rows = unnamed(all, named, parent);
    if (rows.length === 0) return;
    const projectId = { in: idsOf(rows) };
    await lockRows(this.tx, DELETION_RULES.project.table, projectId.in);
    await this.checkApplications(await this.applicationsIn(rows));
    await this.countKeys({ projectId }, parent);
    // First what uses its channels: PostgreSQL does not delete a channel that something uses, even if that goes too.
    await this.tx.application.deleteMany({ where: { projectId } });
    await this.tx.distributionList.deleteMany({ where: { projectId } });
    await this.tx.channel.updateMany({ where: { projectId, fallbackId: { not: null } }, data: { fallbackId: null } });
    await this.tx.project.deleteMany({ where: { id: projectId } });
    this.deleted('project', rows);
  }

  private async project(organizationId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const { slug } = entry;
    const where = { organizationId_slug: { organizationId, slug } };
    const { id } = await this.tx.project.findUniqueOrThrow({ where, select: { id: true } });
    const path = `${parent}/${slug}`;
    for (const application of entry.applications ?? []) await this.application(id, application, path);
    if (entry.applications) await this.applications(id, entry.applications.map(slugOf), path);
    if (entry.distribution_lists) await this.lists(id, entry, path);
    if (entry.channels) await this.channels({ organizationId, projectId: id }, entry.channels, path);
  }

  private async applications(projectId: number, named: string[], parent: string): Promise<void> {
    const all = await this.applicationsIn([{ id: projectId, path: parent }]);
    const rows = all.filter(({ slug }) => !named.includes(slug));
    if (rows.length === 0) return;
    await this.checkApplications(rows);
    const applicationId = { in: idsOf(rows) };
    await this.countKeys({ applicationId }, parent);
    await this.tx.application.deleteMany({ where: { id: applicationId } });
    this.deleted('application', rows);
  }

  private async application(projectId: number, entry: ApplicationEntry, parent: string): Promise<void> {
    const { slug, events } = entry;
    const where = { projectId_slug: { projectId, slug } };
    const { id } = await this.tx.application.findUniqueOrThrow({ where, select: { id: true } });
    const path = `${parent}/${slug}`;
    for (const event of events ?? []) await this.event(id, event, path);
    if (!events) return;
    const rows = unnamed(await this.eventsIn([id]), events.map(slugOf), path);
    await this.refuseIfBlocked('event', rows);
    await this.tx.event.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.deleted('event', rows);
  }

  private async event(applicationId: number, { slug, notifications }: EventEntry, parent: string): Promise<void> {
    if (!notifications) return;
    const where = { applicationId_slug: { applicationId, slug } };
    const { id: eventId } = await this.tx.event.findUniqueOrThrow({ where, select: { id: true } });
    const named = notifications.map(({ name }) => name);
    const all = await this.tx.notification.findMany({
      where: { eventId },
      orderBy: byId,
      select: { id: true, name: true },
    });
    const rows = unnamed(
      all.map(({ id, name }) => ({ id, slug: name })),
      named,
      `${parent}/${slug}`,
    );
    await this.tx.notification.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.deleted('notification', rows);
    await renewRuleset(this.tx, eventId);
  }

  private async lists(projectId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const all = await this.tx.distributionList.findMany({
      where: { projectId },
      orderBy: byId,
      select: { id: true, name: true, nameKey: true },
    });
    const named = new Map((entry.distribution_lists ?? []).map(({ name, members }) => [listKey(name), members]));
    for (const { id, name, nameKey } of all) {
      const members = named.get(nameKey);
      if (!members) continue;
      const keys = members.map((member) => emailKey(emailOf(member)));
      const count = await this.tx.$executeRawUnsafe(DELETE_UNNAMED_MEMBERS, id, sqlArray(keys));
      this.changes.push(...counted('delete', count, 'member', `${parent}/${name}`));
    }
    const rows = all
      .filter(({ nameKey }) => !named.has(nameKey))
      .map(({ id, name }) => ({ id, path: `${parent}/${name}` }));
    await this.refuseIfBlocked('distribution list', rows);
    await this.tx.distributionList.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.deleted('distribution list', rows);
  }

  private async channels(
    where: { organizationId: number; projectId: number | null },
    entries: ChannelEntry[],
    parent: string,
  ): Promise<void> {
    const all = await this.tx.channel.findMany({ where, orderBy: byId, select: slugSelect });
    const rows = unnamed(all, entries.map(slugOf), parent);
    await this.refuseIfBlocked('channel', rows);
    await this.tx.channel.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.deleted('channel', rows);
  }

  /** A person whom a list of the file names is named too. */
  private async users(organizationId: number, { slug, users = [], projects = [] }: OrganizationEntry): Promise<void> {
    const members = projects.flatMap(({ distribution_lists: lists = [] }) =>
      lists.flatMap((list) => list.members ?? []),
    );
    const keys = [...users.map(({ email }) => email), ...members.map(emailOf)].map(emailKey);
    const count = await this.tx.$executeRawUnsafe(DELETE_UNNAMED_USERS, organizationId, sqlArray(keys));
    this.changes.push(...counted('delete', count, 'user', slug));
  }

  private async applicationsIn(projects: readonly Row[]): Promise<(Row & { slug: string })[]> {
    const pathOf = new Map(projects.map(({ id, path }) => [id, path]));
    const rows = await this.tx.application.findMany({
      where: { projectId: { in: idsOf(projects) } },
      orderBy: byId,
      select: { ...slugSelect, projectId: true },
    });
    return rows.map(({ id, slug, projectId }) => ({ id, slug, path: `${pathOf.get(projectId)}/${slug}` }));
  }

  private eventsIn(applications: number[]) {
    return this.tx.event.findMany({
      where: { applicationId: { in: applications } },
      orderBy: byId,
      select: { ...slugSelect, applicationId: true },
    });
  }

  /** Applications go with their events, each under its own rule. Locked, so that no event is added meanwhile. */
  private async checkApplications(applications: readonly Row[]): Promise<void> {
    await lockRows(this.tx, DELETION_RULES.application.table, idsOf(applications));
    const pathOf = new Map(applications.map(({ id, path }) => [id, path]));
    const events = await this.eventsIn(idsOf(applications));
    const rows = events.map(({ id, slug, applicationId }) => ({ id, path: `${pathOf.get(applicationId)}/${slug}` }));
    await this.refuseIfBlocked('event', rows);
  }

  /** Keys go with what they reach; whoever holds one should know. */
  private async countKeys(
    where: { projectId: { in: number[] } } | { applicationId: { in: number[] } },
    parent: string,
  ): Promise<void> {
    const count = await this.tx.apiKey.count({ where: { ...where, revokedAt: null } });
    this.changes.push(...counted('delete', count, 'API key', parent));
  }

  private async refuseIfBlocked(noun: Deletable, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const reasons = await findBlocked(this.tx, noun, idsOf(rows));
    const problems = rows.flatMap(({ id, path }) => (reasons.has(id) ? `${noun} ${path} ${reasons.get(id)}` : []));
    if (problems.length > 0) throw new ProvisioningError(problems);
  }

  private deleted(noun: string, rows: readonly Row[]): void {
    this.changes.push(...rows.map(({ path }): Change => ({ verb: 'delete', noun, name: path })));
  }
}

/** Rows whose slug the file does not name. */
function unnamed(rows: readonly { id: number; slug: string }[], named: string[], parent: string): Row[] {
  const kept = new Set(named);
  return rows.filter(({ slug }) => !kept.has(slug)).map(({ id, slug }) => ({ id, path: `${parent}/${slug}` }));
}
