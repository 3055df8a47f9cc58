import { channelIds } from '../../channel/channel-ids.js';
import { identityOf, putChannel } from '../../channel/put-channel.js';
import type { ChannelContext } from '../../channel/put-channel.js';
import type { ChannelPlace, StoredConfig } from '../../dispatcher/channel-config.js';
import { fieldsOf } from '../../dispatcher/config-fields.js';
import type { ChannelConfig, ConfigField, Dispatcher } from '../../dispatcher/dispatcher.js';
import { listKey } from '../../distribution-list/list-key.js';
import type { FieldErrors } from '../../http/problem.js';
import { differencesOf, upsertRow } from '../../prisma/upsert-row.js';
import type { Difference, Upserted, Values } from '../../prisma/upsert-row.js';
import { ProvisioningError } from '../file.js';
import type {
  ChannelEntry,
  ConfigValue,
  DistributionListEntry,
  MemberEntry,
  OrganizationEntry,
  ProjectEntry,
  UserEntry,
} from '../file.js';
import { addAddresses, putMembers, upsertUsers } from '../people/people.js';
import { counted } from './change.js';
import type { Change } from './change.js';
import { applyNotifications } from './notifications.js';
import { readReference } from './references.js';
import type { ReferenceSource } from './references.js';
import { applyStatusWebhook } from './status-webhook.js';

const CHUNK = 5000;

export interface ApplyContext extends ReferenceSource, ChannelContext {
  progress: (done: number) => void;
}

/** Makes the database agree with one organization of the file, inside the caller's transaction. Only null deletes. */
export class OrganizationApply {
  readonly changes: Change[] = [];

  constructor(private readonly context: ApplyContext) {}

  async run(entry: OrganizationEntry): Promise<void> {
    const organizationId = await this.row(
      'organization',
      'organizations',
      { slug: entry.slug },
      { name: entry.name },
      entry.slug,
    );
    await this.channels({ organizationId, projectId: null }, entry.channels ?? [], entry.slug);
    await this.users(organizationId, entry.users ?? [], entry.slug);
    for (const project of entry.projects ?? []) await this.project(organizationId, project, entry.slug);
  }

  private async project(organizationId: number, entry: ProjectEntry, parent: string): Promise<void> {
    const name = `${parent}/${entry.slug}`;
    const identity = { organization_id: organizationId, slug: entry.slug };
    const values = { name: entry.name, enabled: entry.enabled };
    const projectId = await this.row('project', 'projects', identity, values, name);
    await this.channels({ organizationId, projectId }, entry.channels ?? [], name);
    for (const list of entry.distribution_lists ?? []) await this.list(organizationId, projectId, list, name);
    for (const application of entry.applications ?? []) {
      const within = { organization_id: organizationId, project_id: projectId };
      const path = `${name}/${application.slug}`;
      const applicationId = await this.row(
        'application',
        'applications',
        { ...within, slug: application.slug },
        { name: application.name, enabled: application.enabled },
        path,
      );
      const webhookPlace = { organizationId, applicationId, name: path };
      this.changes.push(...(await applyStatusWebhook(this.context, webhookPlace, application.status_webhook)));
      for (const event of application.events ?? []) {
        const key = { organization_id: organizationId, application_id: applicationId, slug: event.slug };
        const eventName = `${path}/${event.slug}`;
        const { name: title, enabled, max_recipients, retention_days } = event;
        const values = { name: title, enabled, max_recipients, retention_days };
        const eventId = await this.row('event', 'events', key, values, eventName);
        const place = { organizationId, projectId, eventId, name: eventName };
        this.changes.push(...(await applyNotifications(this.context.client, place, event.notifications ?? [])));
      }
    }
  }

  private async channels(place: Omit<ChannelPlace, 'slug'>, entries: ChannelEntry[], parent: string): Promise<void> {
    for (const entry of entries) await this.channel({ ...place, slug: entry.slug }, entry, parent);
    // Only now: a channel may name one that comes after it.
    for (const entry of entries) await this.fallback({ ...place, slug: entry.slug }, entry, parent);
  }

  private async fallback(place: ChannelPlace, { slug, fallback }: ChannelEntry, parent: string): Promise<void> {
    if (fallback === undefined) return;
    const id = fallback === null ? null : (await channelIds(this.context.client, place)).get(fallback);
    if (id === undefined || fallback === slug)
      throw new ProvisioningError([
        `channel ${parent}/${slug}: fallback "${fallback}" is no other channel it can reach`,
      ]);
    const values = { fallback_id: id };
    const { verb, differences } = await upsertRow(this.context.client, 'channels', identityOf(place), values);
    if (verb) this.changed('channel', `${parent}/${slug}`, await this.fallbackNames(differences));
  }

  private async fallbackNames(differences: Difference[]): Promise<Difference[]> {
    const { before, after } = differences[0]!;
    const { rows } = await this.context.client.query<{ id: number; slug: string }>(
      'select id, slug from channels where id = any($1)',
      [[before, after].filter((id) => id !== null)],
    );
    const slugOf = (id: unknown) => rows.find((row) => row.id === id)?.slug ?? null;
    return [{ field: 'fallback', before: slugOf(before), after: slugOf(after) }];
  }

  private async channel(place: ChannelPlace, entry: ChannelEntry, parent: string): Promise<void> {
    const name = `${parent}/${entry.slug}`;
    const config = this.resolveReferences(this.context.dispatchers.get(entry.type), entry.config ?? {}, name);
    const put = await putChannel(this.context, place, { ...entry, config });
    if ('errors' in put) throw new ProvisioningError(problemsOf(put.errors, name));
    this.put('channel', name, put);
  }

  private resolveReferences(
    dispatcher: Dispatcher | undefined,
    config: Record<string, ConfigValue>,
    channel: string,
  ): ChannelConfig {
    const resolved = Object.entries(config).map(([key, value]) => {
      if (typeof value !== 'object') return [key, value] as const;
      const place = `channel ${channel}: config.${key}`;
      const text = readReference(value, place, this.context);
      const field = dispatcher && fieldsOf(dispatcher).find((each) => each.key === key);
      return [key, typed(text, field?.kind)] as const;
    });
    return Object.fromEntries(resolved);
  }

  private async users(organizationId: number, entries: UserEntry[], parent: string): Promise<void> {
    let created = 0;
    let updated = 0;
    let addresses = 0;
    for (let start = 0; start < entries.length; start += CHUNK) {
      const chunk = entries.slice(start, start + CHUNK);
      const counts = await upsertUsers(this.context.client, organizationId, chunk);
      created += counts.created;
      updated += counts.updated;
      addresses += await addAddresses(this.context.client, organizationId, chunk);
      this.context.progress(chunk.length);
    }
    this.count('create', created, 'user', parent);
    this.count('update', updated, 'user', parent);
    this.count('create', addresses, 'address', parent);
  }

  private async list(
    organizationId: number,
    projectId: number,
    entry: DistributionListEntry,
    parent: string,
  ): Promise<void> {
    const name = entry.name.trim();
    const identity = { organization_id: organizationId, project_id: projectId, name_key: listKey(name) };
    const listId = await this.row('distribution list', 'distribution_lists', identity, { name }, `${parent}/${name}`);
    const members = (entry.members ?? []).map((member) => (typeof member === 'string' ? { email: member } : member));
    const channels = await channelIds(this.context.client, { organizationId, projectId });
    checkChannels(members, channels, `${parent}/${name}`);
    let added = 0;
    let updated = 0;
    for (let start = 0; start < members.length; start += CHUNK) {
      const chunk = members.slice(start, start + CHUNK);
      const counts = await putMembers(this.context.client, { organizationId, listId }, chunk, channels);
      added += counts.added;
      updated += counts.updated;
      this.context.progress(chunk.length);
    }
    this.count('create', added, 'member', `${parent}/${name}`);
    this.count('update', updated, 'member', `${parent}/${name}`);
  }

  private async row(noun: string, table: string, identity: Values, values: Values, name: string): Promise<number> {
    const upserted = await upsertRow(this.context.client, table, identity, values);
    this.put(noun, name, upserted);
    return upserted.id;
  }

  private put(noun: string, name: string, { verb, differences }: Upserted): void {
    if (verb === 'create') this.changes.push({ verb, noun, name });
    if (verb === 'update') this.changed(noun, name, differences.flatMap(withoutSecrets));
  }

  private changed(noun: string, name: string, differences: Difference[]): void {
    this.changes.push({ verb: 'update', noun, name, differences });
  }

  private count(verb: Change['verb'], count: number, noun: string, parent: string): void {
    this.changes.push(...counted(verb, count, noun, parent));
  }
}

/** What is wrong with a setting is said of it, all else of the channel. */
function problemsOf(errors: FieldErrors, channel: string): string[] {
  return Object.entries(errors).map(([field, sentences]) =>
    [`channel ${channel}:`, ...(field.startsWith('config.') ? [field] : []), sentences.join(', ')].join(' '),
  );
}

function checkChannels(members: MemberEntry[], channels: Map<string, number>, list: string): void {
  for (const { email, channel } of members) {
    if (channel !== undefined && !channels.has(channel))
      throw new ProvisioningError([`list ${list}: ${email} wants the channel ${channel}, which does not exist`]);
  }
}

/** A channel's settings one by one; of those that are sealed only that they changed. */
function withoutSecrets(difference: Difference): Difference[] {
  if (difference.field !== 'config') return [difference];
  const { before, after } = difference as { before: StoredConfig; after: StoredConfig };
  return differencesOf(before, after, 'config.').map((each) =>
    [each.before, each.after].some((value) => typeof value === 'object' && value !== null)
      ? { field: each.field }
      : each,
  );
}

/** A reference is always a text; what it stands for may be a number or a yes or no. */
function typed(text: string, kind: ConfigField['kind'] | undefined): string | number | boolean {
  if (kind === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return kind === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}
