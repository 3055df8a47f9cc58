import type { Quotas } from '../../../platform/config/quota.js';
import { DELETION_RULES, findBlocked } from '../../../api/resource/deletion.js';
import type { Deletable } from '../../../api/resource/deletion.js';
import { tableOf } from '../../../api/layout/layout.write.js';
import type { OwnerOfEither } from '../../../api/resource/owner.js';
import { removeSchedule } from '../../../api/schedule/put-schedule.js';
import { listKey } from '../../../api/distribution-list/list-key.js';
import { emailKey } from '../../../platform/field/email.js';
import { lockRows, sqlArray } from '../../../platform/database/transaction.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { ProvisioningError } from '../file.js';
import type {
  ApplicationEntry,
  CategoryEntry,
  ChannelEntry,
  EventEntry,
  OrganizationEntry,
  ProjectEntry,
} from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';
import { countedChange, deletedUsers } from './change.js';
import type { Change, DeletedUsers } from './change.js';
import type { FragmentsApply } from './layouts.js';
import { renewRules } from './notifications.js';
import { DELETE_MEMBERS_NOT_IN_FILE, DELETE_USERS_NOT_IN_FILE } from './prune.sql.js';

/** A row to delete. Its path is like `acme/shop/web`. */
interface Row {
  id: number;
  path: string;
}

interface PruneOptions {
  /** How many users of each deletion are named. */
  maxNames: number;
  /** Whether projects that the file does not list are left alone. */
  isPartial: boolean;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);
const slugOf = ({ slug }: { slug: string }) => slug;
const emailOf = (member: string | { email: string }) => (typeof member === 'string' ? member : member.email);
const slugSelect = { id: true, slug: true } as const;
const byId = { id: 'asc' } as const;

/**
 * Deletes the rows that the file's lists do not contain, inside the caller's transaction, after the file was applied. A list that the
 * file leaves out is not touched: without `users`, no user is deleted.
 *
 * The rules of src/api/resource/deletion.ts apply, as over HTTP. A project or application is deleted together with everything in it, and the rule of each
 * row in it applies too. So one open occurrence blocks the deletion of its project: the error names the occurrence, and nothing changes.
 */
export class Prune {
  readonly changes: Change[] = [];

  private readonly tx: Transaction;

  constructor(
    private readonly context: { tx: Transaction; quotas: Quotas; problems: FileProblems },
    private readonly fragments: FragmentsApply,
    private readonly options: PruneOptions,
  ) {
    this.tx = context.tx;
  }

  async run({ slug, projects, channels, users, ...entry }: OrganizationEntry): Promise<void> {
    const { id } = await this.tx.organization.findUniqueOrThrow({ where: { slug }, select: { id: true } });
    for (const project of projects ?? []) await this.project(id, project, slug);
    if (projects && !this.options.isPartial) await this.projects(id, projects.map(slugOf), slug);
    if (channels) await this.channels({ organizationId: id, projectId: null }, channels, slug);
    await this.layouts({ organizationId: id, projectId: null }, { slug, ...entry }, slug);
    if (users) await this.users(id, { slug, projects, users, ...entry });
  }

  private async projects(organizationId: number, slugsInFile: string[], parent: string): Promise<void> {
    const all = await this.tx.project.findMany({ where: { organizationId }, orderBy: byId, select: slugSelect });
    const rows = notInFile(all, slugsInFile, parent);
    if (rows.length === 0) return;
    const projectId = { in: idsOf(rows) };
    await lockRows(this.tx, DELETION_RULES.project.table, projectId.in);
    await this.checkApplications(await this.applicationsIn(rows));
    await this.reportKeys({ projectId }, parent);
    // First delete the rows that use the project's channels: PostgreSQL refuses to delete a channel while any row refers to it.
    await this.tx.application.deleteMany({ where: { projectId } });
    await this.tx.distributionList.deleteMany({ where: { projectId } });
    await this.tx.channel.updateMany({ where: { projectId, fallbackId: { not: null } }, data: { fallbackId: null } });
    await this.tx.project.deleteMany({ where: { id: projectId } });
    this.reportDeleted('project', rows);
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
    await this.layouts({ organizationId, projectId: id }, entry, path);
    if (entry.categories) await this.categories(id, entry.categories, path);
  }

  private async applications(projectId: number, slugsInFile: string[], parent: string): Promise<void> {
    const all = await this.applicationsIn([{ id: projectId, path: parent }]);
    const rows = all.filter(({ slug }) => !slugsInFile.includes(slug));
    if (rows.length === 0) return;
    await this.checkApplications(rows);
    const applicationId = { in: idsOf(rows) };
    await this.reportKeys({ applicationId }, parent);
    await this.tx.application.deleteMany({ where: { id: applicationId } });
    this.reportDeleted('application', rows);
  }

  private async application(projectId: number, entry: ApplicationEntry, parent: string): Promise<void> {
    const { slug, events } = entry;
    const where = { projectId_slug: { projectId, slug } };
    const { id } = await this.tx.application.findUniqueOrThrow({ where, select: { id: true } });
    const path = `${parent}/${slug}`;
    for (const event of events ?? []) await this.event(id, event, path);
    if (!events) return;
    const rows = notInFile(await this.eventsIn([id]), events.map(slugOf), path);
    await this.refuseIfBlocked('event', rows);
    await this.tx.event.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.reportDeleted('event', rows);
  }

  private async event(applicationId: number, entry: EventEntry, parent: string): Promise<void> {
    const { slug, notifications } = entry;
    const where = { applicationId_slug: { applicationId, slug } };
    const select = { id: true, organizationId: true } as const;
    const { id: eventId, organizationId } = await this.tx.event.findUniqueOrThrow({ where, select });
    const isLeftOut = entry.schedule === undefined;
    if (isLeftOut && (await removeSchedule(this.tx, { organizationId, eventId })))
      this.changes.push({ verb: 'delete', noun: 'schedule', name: `${parent}/${slug}` });
    if (!notifications) return;
    const namesInFile = notifications.map(({ name }) => name);
    const all = await this.tx.notification.findMany({
      where: { eventId },
      orderBy: byId,
      select: { id: true, name: true },
    });
    const rows = notInFile(
      all.map(({ id, name }) => ({ id, slug: name })),
      namesInFile,
      `${parent}/${slug}`,
    );
    await this.tx.notification.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.reportDeleted('notification', rows);
    await renewRules(this.context, eventId, entry);
  }

  private async lists(projectId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const all = await this.tx.distributionList.findMany({
      where: { projectId },
      orderBy: byId,
      select: { id: true, name: true, nameKey: true, open: true },
    });
    const membersByList = new Map(
      (entry.distribution_lists ?? []).map(({ name, members }) => [listKey(name), members]),
    );
    for (const { id, name, nameKey, open } of all) {
      const members = membersByList.get(nameKey);
      // Users join an open list themselves: no file knows them all.
      if (!members || open) continue;
      const keys = members.map((member) => emailKey(emailOf(member)));
      await this.deleteUsers('member', DELETE_MEMBERS_NOT_IN_FILE, id, keys, `${parent}/${name}`);
    }
    const rows = all
      .filter(({ nameKey }) => !membersByList.has(nameKey))
      .map(({ id, name }) => ({ id, path: `${parent}/${name}` }));
    await this.refuseIfBlocked('distribution list', rows);
    await this.tx.distributionList.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.reportDeleted('distribution list', rows);
  }

  /** With what users have chosen about them. */
  private async categories(projectId: number, entries: CategoryEntry[], parent: string): Promise<void> {
    const all = await this.tx.category.findMany({ where: { projectId }, orderBy: byId, select: slugSelect });
    const rows = notInFile(all, entries.map(slugOf), parent);
    await this.refuseIfBlocked('category', rows);
    await this.tx.category.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.reportDeleted('category', rows);
  }

  private async channels(
    where: { organizationId: number; projectId: number | null },
    entries: ChannelEntry[],
    parent: string,
  ): Promise<void> {
    const all = await this.tx.channel.findMany({ where, orderBy: byId, select: slugSelect });
    const rows = notInFile(all, entries.map(slugOf), parent);
    await this.refuseIfBlocked('channel', rows);
    await this.tx.channel.deleteMany({ where: { id: { in: idsOf(rows) } } });
    this.reportDeleted('channel', rows);
  }

  /** Layouts first: they use partials. */
  private async layouts(where: OwnerOfEither, entry: OrganizationEntry | ProjectEntry, parent: string): Promise<void> {
    for (const [kind, entries] of [
      ['layout', entry.layouts],
      ['partial', entry.partials],
    ] as const) {
      if (!entries) continue;
      const all = await tableOf(this.tx, kind).findMany({ where, orderBy: byId, select: slugSelect });
      const rows = notInFile(all, entries.map(slugOf), parent);
      await this.refuseIfBlocked(kind, rows);
      this.reportDeleted(kind, rows);
      const changes = this.changes.slice(this.changes.length - rows.length);
      for (const [i, { id }] of rows.entries()) await this.fragments.remove(kind, where, id, changes[i]!);
    }
  }

  /** Also keeps the users that are members of the file's lists. */
  private async users(organizationId: number, { slug, users = [], projects = [] }: OrganizationEntry): Promise<void> {
    const members = projects.flatMap(({ distribution_lists: lists = [] }) =>
      lists.flatMap((list) => list.members ?? []),
    );
    const keys = [...users.map(({ email }) => email), ...members.map(emailOf)].map(emailKey);
    await this.deleteUsers('user', DELETE_USERS_NOT_IN_FILE, organizationId, keys, slug);
  }

  /** Deletes those whose keys are not among `keys`, and names them. */
  private async deleteUsers(noun: string, sql: string, id: number, keys: string[], path: string): Promise<void> {
    const [deleted] = await this.tx.$queryRawUnsafe<DeletedUsers[]>(sql, id, sqlArray(keys), this.options.maxNames);
    this.changes.push(...deletedUsers(noun, path, deleted!));
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

  /** Applications are deleted with their events, so the rule of each event applies. The lock prevents new events. */
  private async checkApplications(applications: readonly Row[]): Promise<void> {
    await lockRows(this.tx, DELETION_RULES.application.table, idsOf(applications));
    const pathOf = new Map(applications.map(({ id, path }) => [id, path]));
    const events = await this.eventsIn(idsOf(applications));
    const rows = events.map(({ id, slug, applicationId }) => ({ id, path: `${pathOf.get(applicationId)}/${slug}` }));
    await this.refuseIfBlocked('event', rows);
  }

  /** API keys are deleted with their project or application. The plan shows how many, because their holders lose access. */
  private async reportKeys(
    where: { projectId: { in: number[] } } | { applicationId: { in: number[] } },
    parent: string,
  ): Promise<void> {
    const count = await this.tx.apiKey.count({ where: { ...where, revokedAt: null } });
    this.changes.push(...countedChange('delete', count, 'API key', parent));
  }

  private async refuseIfBlocked(noun: Deletable, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const reasons = await findBlocked(this.tx, noun, idsOf(rows));
    const problems = rows.flatMap(({ id, path }) => (reasons.has(id) ? `${noun} ${path} ${reasons.get(id)}` : []));
    if (problems.length > 0) throw new ProvisioningError(problems);
  }

  private reportDeleted(noun: string, rows: readonly Row[]): void {
    this.changes.push(...rows.map(({ path }): Change => ({ verb: 'delete', noun, name: path })));
  }
}

/** The rows whose slug is not in the file. */
function notInFile(rows: readonly { id: number; slug: string }[], slugsInFile: string[], parent: string): Row[] {
  const kept = new Set(slugsInFile);
  return rows.filter(({ slug }) => !kept.has(slug)).map(({ id, slug }) => ({ id, path: `${parent}/${slug}` }));
}
