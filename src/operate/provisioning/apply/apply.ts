import { putApplication } from '../../../api/application/application.write.js';
import { putDistributionList } from '../../../api/distribution-list/distribution-list.write.js';
import { putEvent, resolvedEventErrors } from '../../../api/event/event.write.js';
import type { ApplicationOwner } from '../../../api/event/event.write.js';
import { putMessages } from '../../../api/messages/messages.write.js';
import { NOT_TRANSLATED } from '../../../rules/language/translation-gaps.js';
import { untranslatedIn } from '../../../rules/language/messages.js';
import { readMessages } from '../../../rules/language/read-messages.js';
import { putOrganization } from '../../../api/organization/organization.write.js';
import { putProject } from '../../../api/project/project.write.js';
import type { ProjectOwner } from '../../../api/project/project.write.js';
import type { Put } from '../../../api/resource/put.js';
import type { Inspect } from '../../../api/notification/notification-templates.js';
import type { Quotas } from '../../../platform/config/quota.js';
import type { ApplicationEntry, DistributionListEntry, EventEntry, OrganizationEntry, ProjectEntry } from '../file.js';
import { applyCategories } from './categories.js';
import { changesOf } from './change.js';
import type { Change } from './change.js';
import { applyChannels } from './channels.js';
import type { ChannelsContext } from './channels.js';
import { FragmentsApply } from './layouts.js';
import { applyNotifications, renewRules } from './notifications.js';
import { applyMembers, applyUsers } from './users.js';
import type { UserWriteContext } from './users.js';
import { applyPreferences } from './preferences.js';
import { applySchedule } from './schedule.js';
import { applyStatusWebhook } from './status-webhook.js';

type ApplyContext = ChannelsContext & UserWriteContext & ApplySettings;

interface ApplySettings {
  /** Of organizations without quotas of their own. */
  quotas: Quotas;
  /** Whether `Prune` runs afterwards. It renews the rulesets then. */
  willPrune: boolean;
  inspect?: Inspect;
}

/** Applies one organization of the file, inside the caller's transaction. Deletes no row, except a status webhook that is null. */
export class OrganizationApply {
  readonly changes: Change[] = [];

  /** The projects with messages in the file. */
  private readonly speaking: { id: number; entry: ProjectEntry; path: string }[] = [];

  constructor(
    private readonly context: ApplyContext,
    private readonly fragments: FragmentsApply,
  ) {}

  async run(entry: OrganizationEntry): Promise<void> {
    const { slug, channels = [], layouts, partials, users = [], projects = [], ...fields } = entry;
    const write = (wanted: typeof fields) => putOrganization(this.context, { slug }, wanted, Infinity);
    const organizationId = await this.put('organization', slug, entry, fields, write);
    if (organizationId === null) return;
    const owner = { organizationId, projectId: null };
    await this.fragments.lock(organizationId, [entry, ...projects]);
    this.changes.push(...(await applyChannels(this.context, owner, channels, slug)));
    this.changes.push(...(await this.fragments.put(owner, { layouts, partials }, slug)));
    this.changes.push(...(await applyUsers(this.context, organizationId, users, slug)));
    for (const project of projects) await this.project(organizationId, project, slug);
    // After all projects: a choice is about a category or an event.
    this.changes.push(...(await applyPreferences(this.context, organizationId, users, slug)));
  }

  private async project(organizationId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const { slug, messages, channels, layouts, partials, categories, ...entries } = entry;
    const { distribution_lists: lists, applications, ...fields } = entries;
    const path = `${parent}/${slug}`;
    const write = (wanted: typeof fields) => putProject(this.context.tx, { organizationId }, { slug }, wanted);
    const projectId = await this.put('project', path, entry, fields, write);
    if (projectId === null) return;
    const owner = { organizationId, projectId };
    this.changes.push(...(await applyChannels(this.context, owner, channels ?? [], path)));
    // Before the layouts and the templates that use new messages.
    if (messages && (await this.messages(projectId, entry, path, true)))
      this.speaking.push({ id: projectId, entry, path });
    this.changes.push(...(await this.fragments.put(owner, { layouts, partials }, path)));
    this.changes.push(...(await applyCategories(this.context, owner, categories ?? [], path)));
    for (const list of lists ?? []) await this.list(owner, list, path);
    for (const application of applications ?? []) await this.application(owner, application, path);
  }

  /** Removes the messages that the file does not have, after the templates that used them were changed or deleted. */
  async removeMessages(): Promise<void> {
    for (const { id, entry, path } of this.speaking) await this.messages(id, entry, path, false);
  }

  private async messages(projectId: number, entry: ProjectEntry, path: string, keep: boolean): Promise<boolean> {
    const read = readMessages(entry.messages);
    const { tx, quotas } = this.context;
    const put =
      'errors' in read ? read : await putMessages(tx, projectId, read.messages, { quotas, keep, most: Infinity });
    if ('errors' in put) this.context.problems.add(entry, put.errors);
    else if (put.differences.length > 0)
      this.changes.push({ verb: 'update', noun: 'messages', name: path, differences: put.differences });
    for (const key of 'errors' in put || keep ? [] : untranslatedIn(put.messages))
      this.context.problems.warn(entry, `messages.${key}`, NOT_TRANSLATED);
    return !('errors' in put);
  }

  private async list(owner: ProjectOwner, entry: DistributionListEntry, parent: string): Promise<void> {
    const { members: _, ...fields } = { ...entry, name: entry.name.trim() };
    const path = `${parent}/${fields.name}`;
    const write = (wanted: typeof fields) => putDistributionList(this.context.tx, owner, fields, wanted);
    const listId = await this.put('distribution list', path, entry, fields, write);
    if (listId === null) return;
    this.changes.push(...(await applyMembers(this.context, { ...owner, listId }, entry, path)));
  }

  private async application(project: ProjectOwner, entry: ApplicationEntry, parent: string): Promise<void> {
    const { slug, status_webhook: _, events = [], ...fields } = entry;
    const path = `${parent}/${slug}`;
    const write = (wanted: typeof fields) => putApplication(this.context.tx, project, { slug }, wanted);
    const applicationId = await this.put('application', path, entry, fields, write);
    if (applicationId === null) return;
    const owner = { ...project, applicationId };
    this.changes.push(...(await applyStatusWebhook(this.context, { ...owner, name: path }, entry)));
    for (const event of events) await this.event(owner, event, path);
    for (const event of events) {
      const missing = await resolvedEventErrors(this.context.tx, owner, event);
      if (missing) this.context.problems.add(event, missing.errors);
    }
  }

  private async event(application: ApplicationOwner, entry: EventEntry, parent: string): Promise<void> {
    const { slug, notifications = [], schedule: _, ...fields } = entry;
    const path = `${parent}/${slug}`;
    const write = (wanted: typeof fields) => putEvent(this.context.tx, application, { slug }, wanted);
    const eventId = await this.put('event', path, entry, fields, write);
    if (eventId === null) return;
    const owner = { ...application, eventId, name: path };
    this.changes.push(...(await applyNotifications(this.context, owner, notifications)));
    this.changes.push(...(await applySchedule(this.context, owner, entry)));
    // Otherwise the rules in the file would count together with those that it replaces.
    if (!this.context.willPrune && this.context.problems.isEmpty) await renewRules(this.context, eventId, entry);
  }

  /**
   * Adds the change to the plan. Returns the id of the row. An entry with errors is written without the refused fields, so that mistakes
   * inside it are found too; null: it cannot be written at all.
   */
  private async put<Fields extends object>(
    noun: string,
    path: string,
    entry: object,
    fields: Fields,
    write: (fields: Fields) => Promise<Put>,
  ): Promise<number | null> {
    const put = await write(fields);
    if ('id' in put) {
      this.changes.push(...changesOf(noun, path, put));
      return put.id;
    }
    this.context.problems.add(entry, put.errors);
    const refused = new Set(Object.keys(put.errors).map((field) => field.split(/[.[]/)[0]));
    const kept = Object.entries(fields).filter(([field]) => !refused.has(field));
    const rest = await write(Object.fromEntries(kept) as Fields);
    return 'id' in rest ? rest.id : null;
  }
}
