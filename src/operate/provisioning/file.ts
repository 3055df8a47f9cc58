import { readFileSync } from 'node:fs';
import type { ScheduleFields } from '../../api/schedule/put-schedule.js';
import type { CategoryDefault, Per } from '../../platform/database/generated/prisma/enums.js';
import type { WaitingFields } from '../../api/notification/read-waiting.js';
import type { RuleTo } from '../../rules/ruleset/rule.js';
import type { ChoiceChanges } from '../../api/preference/read-choices.js';
import type { QuotaChanges } from '../../auth/quota/changed-quotas.js';
import type { OrganizationSettingsFields } from '../../api/settings/read-settings.js';
import type { GivenUser } from '../../api/user/user.read.js';
import type { StatusOutcome } from '../../engine/report/status-webhook.js';

export interface ProvisioningFile {
  organizations: OrganizationEntry[];
}

export interface OrganizationEntry extends OrganizationSettingsFields {
  slug: string;
  name: string;
  /** Null: the default of the service. */
  quotas?: QuotaChanges;
  channels?: ChannelEntry[];
  users?: UserEntry[];
  projects?: ProjectEntry[];
}

export interface ChannelEntry {
  slug: string;
  name: string;
  type: string;
  enabled?: boolean;
  /** Slug of the channel that sends a message after this channel gave up. */
  fallback?: string | null;
  config?: Record<string, ConfigValue>;
}

type ConfigValue = string | number | boolean | Reference;

export type Reference = { env: string } | { file: string };

export interface UserEntry extends GivenUser {
  /** Merged into what the user has chosen. */
  preferences?: ChoiceChanges;
}

export interface ProjectEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  channels?: ChannelEntry[];
  categories?: CategoryEntry[];
  distribution_lists?: DistributionListEntry[];
  applications?: ApplicationEntry[];
}

export interface CategoryEntry {
  slug: string;
  name: string;
  description?: string;
  /** Left out: on. */
  default?: CategoryDefault;
  /** Channel types whose default differs. */
  channels?: Record<string, 'on' | 'off'>;
}

export interface DistributionListEntry {
  name: string;
  members?: (string | MemberEntry)[];
}

export interface MemberEntry {
  email: string;
  channel?: string;
  active?: boolean;
}

export interface ApplicationEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  /** Null removes it. */
  status_webhook?: StatusWebhookEntry | null;
  events?: EventEntry[];
}

export interface StatusWebhookEntry {
  url: string;
  secret: string | Reference;
  outcomes?: StatusOutcome[];
  enabled?: boolean;
}

export interface EventEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  /** Null: no limit. */
  max_recipients?: number | null;
  /** Null: the default of the service. */
  retention_days?: number | null;
  /** Slug of a category of the project; null: none. */
  category?: string | null;
  /** Null removes it. */
  schedule?: ScheduleFields | null;
  notifications?: NotificationEntry[];
}

/** `Text` is a string, or a reference to a template file that is not read yet. */
export interface NotificationEntry<Text = string> extends WaitingFields {
  name: string;
  enabled?: boolean;
  when?: string;
  distribution_list?: string;
  distribution_lists?: string[];
  audience?: Record<string, unknown>;
  to?: RuleTo;
  templates?: TemplateEntry<Text>[];
}

export interface TemplateEntry<Text = string> {
  channel: string;
  /** Left out: `room` if the channel is a room. */
  per?: Per;
  subject?: Text;
  text?: Text;
  html?: Text;
  markdown?: Text;
}

/** A file that cannot be applied. Each problem names a place in the file and says what is wrong there. */
export class ProvisioningError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

export const provisioningSchema = JSON.parse(
  readFileSync(new URL('./provisioning.schema.json', import.meta.url), 'utf8'),
) as object;
