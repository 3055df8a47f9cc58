import type { EventSettingsDto } from '../../../api/event/event.dto.js';
import type { ScheduleFields } from '../../../api/schedule/put-schedule.js';
import type { ClientBase } from 'pg';
import type { Quotas } from '../../../platform/config/quota.js';
import type { StoredConfig } from '../../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import type { MessageLimit } from '../../../platform/field/message-limit.js';
import type { WeeklyRange } from '../../../platform/field/weekly-range.js';
import type { Per } from '../../../platform/database/generated/prisma/enums.js';
import { digestText } from '../../../api/notification/read-waiting.js';
import { stepText } from '../../../api/notification/step/read-steps.js';
import type { NamedStep } from '../../../api/notification/step/read-steps.js';
import { isRoom } from '../../../rules/ruleset/decide.js';
import type { DigestRule, RuleAcknowledge, RuleLimit, RuleStep, RuleTo } from '../../../rules/ruleset/rule.js';
import type { OrganizationSettingsFields } from '../../../api/settings/read-settings.js';
import type { StatusOutcome } from '../../../engine/report/status-webhook.js';
import { withMjml } from '../../../rules/template/mjml/convert-parts.js';
import type { ByLanguage } from '../../../rules/template/mjml/convert-parts.js';
import type { TranslatedParts } from '../../../rules/template/template.js';
import { ProvisioningError } from '../file.js';
import type {
  ApplicationEntry,
  CategoryEntry,
  ChannelEntry,
  EventEntry,
  FragmentEntry,
  NotificationEntry,
  ProjectEntry,
  TemplateEntry,
} from '../file.js';
import { ChannelNames, SecretNames } from './export-names.js';
import type { NamedChannel } from './export-names.js';
import {
  APPLICATIONS,
  CATEGORIES,
  CHANNELS,
  EVENTS,
  LAYOUTS,
  LISTS,
  NOTIFICATIONS,
  ORGANIZATION,
  PARTIALS,
  PROJECTS,
} from './export.sql.js';
import { DIGEST_AT } from '../../../rules/frequency/category-digests.js';

interface ChannelRow extends NamedChannel {
  name: string;
  type: string;
  enabled: boolean;
  config: StoredConfig;
  fallbackId: number | null;
}

interface FragmentRow {
  projectId: number | null;
  slug: string;
  html: string | null;
  mjml: string | null;
  text: string | null;
}

interface SlugRow {
  id: number;
  slug: string;
  name: string;
}

interface OrganizationRow extends SlugRow {
  quotas: Partial<Quotas>;
  time_zone: string | null;
  quiet_hours: WeeklyRange[] | null;
  locale: string | null;
  limit: MessageLimit | null;
  color: string | null;
  address: string | null;
  links: object[] | null;
  logo: { content: string } | null;
  page_texts: object | null;
  origins: string[] | null;
  alerts: object | null;
}

/** Rows that can be switched off. The file has `enabled` only if it is false. */
interface SwitchRow extends SlugRow {
  enabled: boolean;
}

interface ProjectRow extends SwitchRow {
  messages: Record<string, unknown> | null;
}

interface ApplicationRow extends SwitchRow {
  projectId: number;
  webhook: { url: string; outcomes: StatusOutcome[]; enabled: boolean } | null;
}

interface EventRow extends EventSettingsDto {
  id: number;
  applicationId: number;
  schedule: ScheduleFields | null;
}

interface CategoryRow extends CategoryEntry {
  projectId: number;
}

interface NotificationRow {
  eventId: number;
  name: string;
  enabled: boolean;
  when: string | null;
  audience: Record<string, unknown> | null;
  to: RuleTo | null;
  window: WeeklyRange | null;
  digest: DigestRule | null;
  limit: RuleLimit | null;
  steps: (Omit<NamedStep, 'channels'> & Pick<RuleStep, 'channels'>)[] | null;
  acknowledge: RuleAcknowledge | null;
  thread: string | null;
  lists: string[];
  templates: { channelId: number; per: Per; parts: TranslatedParts; mjml: ByLanguage | null }[];
}

interface ListRow {
  id: number;
  projectId: number;
  name: string;
  open: boolean;
  description: string;
}

/** An organization in the form of a provisioning file, without its users. */
export interface Configuration {
  organizationId: number;
  slug: string;
  name: string;
  /** Its own quotas. */
  quotas: Partial<Quotas>;
  /** Those that are set. */
  settings: OrganizationSettingsFields;
  channels: ChannelEntry[];
  fragments: Fragments;
  projects: ProjectConfiguration[];
  /** Whether it is not the whole organization. */
  isPart?: boolean;
}

/** Left out if there are none. */
interface Fragments {
  layouts?: FragmentEntry[];
  partials?: FragmentEntry[];
}

interface ProjectConfiguration {
  id: number;
  /** Those before its lists. */
  fields: Pick<
    ProjectEntry,
    'slug' | 'name' | 'enabled' | 'messages' | 'channels' | 'layouts' | 'partials' | 'categories'
  >;
  lists: ListRow[];
  applications: ApplicationEntry[];
  /** The slug of a member's channel. */
  channelOf: (id: number) => string;
}

export async function readConfiguration(
  client: ClientBase,
  organizationId: number,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): Promise<Configuration> {
  const read = async <Row extends object>(sql: string) => (await client.query<Row>(sql, [organizationId])).rows;
  const [organization] = await read<OrganizationRow>(ORGANIZATION);
  if (!organization) throw new ProvisioningError(['the organization has just been deleted']);
  return new ConfigurationBuilder(organization, dispatchers, {
    channels: await read<ChannelRow>(CHANNELS),
    layouts: await read<FragmentRow>(LAYOUTS),
    partials: await read<FragmentRow>(PARTIALS),
    projects: await read<ProjectRow>(PROJECTS),
    categories: await read<CategoryRow>(CATEGORIES),
    lists: await read<ListRow>(LISTS),
    applications: await read<ApplicationRow>(APPLICATIONS),
    events: await read<EventRow>(EVENTS),
    notifications: await read<NotificationRow>(NOTIFICATIONS),
  }).build();
}

interface Rows {
  channels: ChannelRow[];
  layouts: FragmentRow[];
  partials: FragmentRow[];
  projects: ProjectRow[];
  categories: CategoryRow[];
  lists: ListRow[];
  applications: ApplicationRow[];
  events: EventRow[];
  notifications: NotificationRow[];
}

class ConfigurationBuilder {
  private readonly names: ChannelNames;
  private readonly eventsOf: ReadonlyMap<number, EventRow[]>;
  private readonly notificationsOf: ReadonlyMap<number, NotificationRow[]>;
  private readonly secrets = new SecretNames();

  constructor(
    private readonly organization: OrganizationRow,
    private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly rows: Rows,
  ) {
    this.names = new ChannelNames(rows.channels);
    this.eventsOf = grouped(rows.events, ({ applicationId }) => applicationId);
    this.notificationsOf = grouped(rows.notifications, ({ eventId }) => eventId);
  }

  build(): Configuration {
    const { id, slug, name, quotas, ...settings } = this.organization;
    const channels = this.channels(null, [slug]);
    const projects = this.rows.projects.map((project) => this.project(project));
    const fragments = this.fragments(null);
    return { organizationId: id, slug, name, quotas, settings: onlyIfSet(settings), channels, fragments, projects };
  }

  private project({ id, slug, name, enabled, messages }: ProjectRow): ProjectConfiguration {
    const path = [this.organization.slug, slug];
    const channels = this.channels(id, path);
    const categories = this.rows.categories
      .filter(({ projectId }) => projectId === id)
      .map(({ slug, name, description, default: byDefault, channels, frequencies = [], digest_at }) => ({
        ...{ slug, name, description },
        ...{ default: byDefault, channels },
        ...(frequencies.length > 0 && { frequencies }),
        ...(digest_at !== DIGEST_AT && { digest_at }),
      }));
    return {
      id,
      fields: {
        ...{ slug, name, ...onlyIfOff(enabled), ...(messages && { messages }), channels },
        ...{ ...this.fragments(id), categories },
      },
      lists: this.rows.lists.filter(({ projectId }) => projectId === id),
      applications: this.rows.applications
        .filter(({ projectId }) => projectId === id)
        .map((application) => this.application(application, path)),
      channelOf: (channelId) => this.names.slugOf(channelId, id, `a member of a list of ${path.join('/')}`),
    };
  }

  private channels(ownerId: number | null, path: string[]): ChannelEntry[] {
    return this.rows.channels
      .filter(({ projectId }) => projectId === ownerId)
      .map(({ slug, name, type, enabled, config, fallbackId }) => {
        const who = `the channel ${[...path, slug].join('/')}`;
        return {
          ...{ slug, name, type, enabled },
          fallback: fallbackId === null ? null : this.names.slugOf(fallbackId, ownerId, who),
          config: Object.fromEntries(
            Object.entries(config).map(([key, value]) => [
              key,
              typeof value === 'object' ? this.secrets.next(...path, slug, key) : value,
            ]),
          ),
        };
      });
  }

  private fragments(ownerId: number | null): Fragments {
    const { layouts, partials } = this.rows;
    const of = (rows: FragmentRow[]) =>
      rows
        .filter(({ projectId }) => projectId === ownerId)
        .map(({ slug, html, text, mjml }) => ({ slug, ...onlyIfSet({ html: mjml ? null : html, text, mjml }) }));
    const own = { layouts: of(layouts), partials: of(partials) };
    return Object.fromEntries(Object.entries(own).filter(([, entries]) => entries.length > 0));
  }

  private application(row: ApplicationRow, parents: string[]): ApplicationEntry {
    const { id, projectId, slug, name, enabled, webhook } = row;
    const path = [...parents, slug];
    return {
      ...{ slug, name },
      ...onlyIfOff(enabled),
      // Null, so that `apply` removes a webhook that is added later.
      status_webhook: webhook && { ...webhook, secret: this.secrets.next(...path, 'status_secret') },
      events: (this.eventsOf.get(id) ?? []).map((event) => this.event(event, projectId, path)),
    };
  }

  private event(row: EventRow, projectId: number, parents: string[]): EventEntry {
    const { id, applicationId: _, slug, name, enabled, max_recipients, resolves_event, schedule, ...settings } = row;
    return {
      ...{ slug, name },
      ...onlyIfOff(enabled),
      ...onlyIfSet({ max_recipients, resolves_event }),
      ...settings,
      ...(schedule && { schedule }),
      notifications: (this.notificationsOf.get(id) ?? []).map((row) =>
        this.notification(row, projectId, [...parents, slug].join('/')),
      ),
    };
  }

  /** What `apply` takes for a template that says nothing. */
  private defaultPer(channelId: number): Per {
    const channel = this.rows.channels.find(({ id }) => id === channelId);
    return isRoom(channel, this.dispatchers) ? 'room' : 'person';
  }

  private notification(row: NotificationRow, projectId: number, event: string): NotificationEntry {
    const { name, enabled, when, audience, to, window, digest, limit, steps, acknowledge, thread, lists, templates } =
      row;
    const slugOf = (channel: number) => this.names.slugOf(channel, projectId, `the notification ${event}/${name}`);
    return {
      ...{ name, enabled },
      ...(when !== null && { when }),
      ...(lists.length > 0 && { distribution_lists: lists }),
      ...(audience !== null && { audience }),
      ...(to !== null && { to }),
      ...onlyIfSet({ window, digest: digest && digestText(digest), limit, thread }),
      ...(steps && { steps: steps.map((step) => stepText({ ...step, channels: step.channels.map(slugOf) })) }),
      ...onlyIfSet({ acknowledge }),
      templates: templates.map(({ channelId, per, parts, mjml }) => ({
        channel: slugOf(channelId),
        ...(per !== this.defaultPer(channelId) && { per }),
        ...(onlyIfSet(withMjml(parts, mjml)) as Omit<TemplateEntry, 'channel' | 'per'>),
      })),
    };
  }
}

/** Once for all parents: an organization may have thousands of events and notifications, and other requests wait meanwhile. */
function grouped<Row>(rows: readonly Row[], parentOf: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(parentOf(row));
    if (group) group.push(row);
    else groups.set(parentOf(row), [row]);
  }
  return groups;
}

const onlyIfOff = (enabled: boolean): { enabled?: false } => (enabled ? {} : { enabled });

const onlyIfSet = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<Fields>;
