import { categoryIdOf } from '../../../api/category/put-category.js';
import type { ProjectOwner } from '../../../api/category/put-category.js';
import type { Quotas } from '../../../platform/config/quota.js';
import { listKey } from '../../../api/distribution-list/list-key.js';
import { putRow } from '../../../platform/database/put-row.js';
import type { Difference } from '../../../platform/database/put-row.js';
import { changedQuotas } from '../../../auth/quota/changed-quotas.js';
import { checkOrganizationSettings, settingsData } from '../../../api/settings/put-settings.js';
import type { OrganizationSettings, OrganizationSettingsFields } from '../../../api/settings/read-settings.js';
import type { ApplicationEntry, DistributionListEntry, EventEntry, OrganizationEntry, ProjectEntry } from '../file.js';
import { applyCategories } from './categories.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';
import { applyChannels } from './channels.js';
import type { ChannelsContext } from './channels.js';
import { applyNotifications, renewRules } from './notifications.js';
import { applyMembers, applyUsers } from './users.js';
import type { UserWriteContext } from './users.js';
import { applyPreferences } from './preferences.js';
import { applyStatusWebhook } from './status-webhook.js';

type ApplyContext = ChannelsContext & UserWriteContext & ApplySettings;

interface ApplySettings {
  /** Of organizations without quotas of their own. */
  quotas: Quotas;
  /** Whether `Prune` runs afterwards. It renews the rulesets then. */
  willPrune: boolean;
}

/** The part of a Prisma model that `row` uses. */
interface Table<New, Changed> {
  create(args: { data: New }): PromiseLike<{ id: number }>;
  update(args: { where: { id: number }; data: Changed }): PromiseLike<unknown>;
}

/** Applies one organization of the file, inside the caller's transaction. Deletes no row, except a status webhook that is null. */
export class OrganizationApply {
  readonly changes: Change[] = [];

  constructor(private readonly context: ApplyContext) {}

  async run(entry: OrganizationEntry): Promise<void> {
    const { slug, name, quotas: changes = {}, channels = [], users = [], projects = [], ...settings } = entry;
    const { organization } = this.context.tx;
    const row = await organization.findUnique({ where: { slug } });
    const quotas = changedQuotas((row?.quotas ?? {}) as Partial<Quotas>, changes);
    const fields = { name, quotas, ...(await this.settings(entry, settings)) };
    const put = await putRow(
      row,
      fields,
      () => organization.create({ data: { ...settingsData(fields), slug } }),
      (changed) => organization.update({ where: { slug }, data: settingsData(changed) }),
    );
    const organizationId = put.id;
    this.changes.push(...changesOf('organization', slug, put));
    this.changes.push(...(await applyChannels(this.context, { organizationId, projectId: null }, channels, slug)));
    this.changes.push(...(await applyUsers(this.context, organizationId, users, slug)));
    for (const project of projects) await this.project(organizationId, project, slug);
    // After all projects: a choice is about a category or an event.
    this.changes.push(...(await applyPreferences(this.context, organizationId, users, slug)));
  }

  private async settings(entry: OrganizationEntry, fields: OrganizationSettingsFields): Promise<OrganizationSettings> {
    const checked = await checkOrganizationSettings(this.context.tx, fields);
    if ('settings' in checked) return checked.settings;
    this.context.problems.add(entry, checked.errors);
    return {};
  }

  private async project(organizationId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const { slug, name, enabled, channels = [], distribution_lists: lists = [], applications = [] } = entry;
    const path = `${parent}/${slug}`;
    const { project } = this.context.tx;
    const key = { organizationId, slug };
    const row = await project.findUnique({ where: { organizationId_slug: key } });
    const projectId = await this.row('project', path, row, { name, enabled }, project, key);
    const place = { organizationId, projectId };
    this.changes.push(...(await applyChannels(this.context, place, channels, path)));
    this.changes.push(...(await applyCategories(this.context, place, entry.categories ?? [], path)));
    for (const list of lists) await this.list(place, list, path);
    for (const application of applications) await this.application(place, application, path);
  }

  private async list(place: ProjectOwner, entry: DistributionListEntry, parent: string): Promise<void> {
    const name = entry.name.trim();
    const path = `${parent}/${name}`;
    const nameKey = listKey(name);
    const { distributionList } = this.context.tx;
    const where = { projectId_nameKey: { projectId: place.projectId, nameKey } };
    const row = await distributionList.findUnique({ where });
    const key = { ...place, nameKey };
    const listId = await this.row('distribution list', path, row, { name }, distributionList, key);
    this.changes.push(...(await applyMembers(this.context, { ...place, listId }, entry, path)));
  }

  private async application(place: ProjectOwner, entry: ApplicationEntry, parent: string): Promise<void> {
    const { slug, name, enabled } = entry;
    const path = `${parent}/${slug}`;
    const { application } = this.context.tx;
    const row = await application.findUnique({ where: { projectId_slug: { projectId: place.projectId, slug } } });
    const applicationId = await this.row('application', path, row, { name, enabled }, application, { ...place, slug });
    const webhookPlace = { organizationId: place.organizationId, applicationId, name: path };
    this.changes.push(...(await applyStatusWebhook(this.context, webhookPlace, entry)));
    for (const event of entry.events ?? []) await this.event(place, applicationId, event, path);
  }

  private async event(place: ProjectOwner, applicationId: number, entry: EventEntry, parent: string): Promise<void> {
    const { slug, name, enabled, max_recipients: maxRecipients, retention_days: retentionDays } = entry;
    const path = `${parent}/${slug}`;
    const { event } = this.context.tx;
    const row = await event.findUnique({
      where: { applicationId_slug: { applicationId, slug } },
      include: { category: { select: { slug: true } } },
    });
    const categoryId = await this.categoryId(place, entry);
    const fields = { name, enabled, maxRecipients, retentionDays, categoryId };
    const key = { organizationId: place.organizationId, applicationId, slug };
    const category = { field: 'category', before: row?.category?.slug ?? null, after: entry.category };
    const show = (difference: Difference) => (difference.field === 'category_id' ? category : difference);
    const eventId = await this.row('event', path, row, fields, event, key, show);
    const eventPlace = { ...place, eventId, name: path };
    this.changes.push(...(await applyNotifications(this.context, eventPlace, entry.notifications ?? [])));
    // Otherwise the rules in the file would count together with those that it replaces.
    if (!this.context.willPrune && this.context.problems.isEmpty) await renewRules(this.context, eventId, entry);
  }

  /** Undefined: unchanged; null: none. */
  private async categoryId({ projectId }: ProjectOwner, entry: EventEntry) {
    const { category } = entry;
    if (category === undefined) return undefined;
    const found = await categoryIdOf(this.context.tx, projectId, category);
    if ('id' in found) return found.id;
    this.context.problems.addOne(entry, 'category', 'not_found', `"${category}" ${found.problem}`);
    return undefined;
  }

  /** Creates or updates one row. Only a new row gets `key`. `show`: a difference with names instead of ids. */
  private async row<Fields extends object, Key extends object>(
    noun: string,
    path: string,
    row: ({ id: number } & { [Field in keyof Fields]?: unknown }) | null,
    fields: Fields,
    table: Table<Fields & Key, Partial<Fields>>,
    key: Key,
    show = (difference: Difference) => difference,
  ): Promise<number> {
    const create = () => table.create({ data: { ...key, ...fields } });
    const put = await putRow(row, fields, create, (data) => table.update({ where: { id: row!.id }, data }));
    this.changes.push(...changesOf(noun, path, { ...put, differences: put.differences.map(show) }));
    return put.id;
  }
}
