import { readFileSync } from 'node:fs';
import type { ScheduleFields } from '../../api/schedule/put-schedule.js';
import type { CreateApplicationDto } from '../../api/application/application.dto.js';
import type { CreateCategoryDto } from '../../api/category/category.dto.js';
import type { CreateChannelDto } from '../../api/channel/channel.dto.js';
import type { CreateDistributionListDto } from '../../api/distribution-list/distribution-list.dto.js';
import type { CreateEventDto } from '../../api/event/event.dto.js';
import { templateField } from '../../api/notification/notification-templates.js';
import type { PutFragmentDto } from '../../api/layout/layout.dto.js';
import type { TemplateFields } from '../../api/notification/notification-templates.js';
import type { CreateNotificationDto } from '../../api/notification/notification.dto.js';
import type { CreateOrganizationDto } from '../../api/organization/organization.dto.js';
import type { CreateProjectDto } from '../../api/project/project.dto.js';
import type { ChoiceChanges } from '../../api/preference/read-choices.js';
import type { UpdateOrganizationQuotasDto } from '../../api/quota/quota.dto.js';
import type { UpdateOrganizationSettingsDto } from '../../api/settings/organization-settings.dto.js';
import type { PutStatusWebhookDto } from '../../api/status-webhook/status-webhook.dto.js';
import type { TEXT_PARTS } from '../../rules/template/template.js';
import type { GivenUser } from '../../api/user/user.read.js';

// An entry of a file has the fields of the body that creates the same thing over HTTP, and the entries inside it. The schema is generated from
// the same DTOs by `npm run contract`.

export interface ProvisioningFile {
  organizations: OrganizationEntry[];
}

export interface OrganizationEntry extends CreateOrganizationDto, UpdateOrganizationSettingsDto {
  quotas?: UpdateOrganizationQuotasDto;
  channels?: ChannelEntry[];
  layouts?: FragmentEntry[];
  partials?: FragmentEntry[];
  users?: UserEntry[];
  projects?: ProjectEntry[];
}

/** A value of `config` may be a reference. */
export type ChannelEntry = CreateChannelDto;

/** A layout or a partial. `Text` is a string, or a reference to a file that is not read yet. */
export type FragmentEntry<Text = string> = { slug: string } & { [Part in keyof PutFragmentDto]?: Text | null };

export type Reference = { env: string } | { file: string };

export interface UserEntry extends GivenUser {
  /** Merged into what the user has chosen. */
  preferences?: ChoiceChanges;
}

export interface ProjectEntry extends CreateProjectDto {
  /** By language; `{ file }` until references are resolved. They replace the current ones. */
  messages?: Record<string, unknown>;
  channels?: ChannelEntry[];
  layouts?: FragmentEntry[];
  partials?: FragmentEntry[];
  categories?: CategoryEntry[];
  distribution_lists?: DistributionListEntry[];
  applications?: ApplicationEntry[];
}

export type CategoryEntry = CreateCategoryDto;

export interface DistributionListEntry extends CreateDistributionListDto {
  members?: (string | MemberEntry)[];
}

export interface MemberEntry {
  email: string;
  channel?: string;
  active?: boolean;
}

export interface ApplicationEntry extends CreateApplicationDto {
  /** Null removes it. */
  status_webhook?: StatusWebhookEntry | null;
  events?: EventEntry[];
}

export type StatusWebhookEntry = Omit<PutStatusWebhookDto, 'secret'> & { secret: string | Reference };

export interface EventEntry extends CreateEventDto {
  /** Null removes it. */
  schedule?: ScheduleFields | null;
  notifications?: NotificationEntry[];
}

/** `Text` is a string, or a reference to a template file that is not read yet. */
export interface NotificationEntry<Text = string> extends Omit<CreateNotificationDto, 'templates'> {
  distribution_list?: string;
  templates?: TemplateEntry<Text>[];
}

type TextEntries<Text> = { [Part in (typeof TEXT_PARTS)[number]]?: Text };

export type TemplateEntry<Text = string> = Omit<TemplateFields, (typeof TEXT_PARTS)[number] | 'translations'> &
  TextEntries<Text> & { translations?: Record<string, TextEntries<Text>> };

/** The texts of a template in each of its languages, and the names of their fields. */
export function textsIn<Text>(template: TemplateEntry<Text>): { field: string; texts: TextEntries<Text> }[] {
  const languages = Object.entries(template.translations ?? {});
  return [
    { field: templateField(template.channel), texts: template },
    ...languages.map(([tag, texts]) => ({ field: templateField(template.channel, `translations.${tag}`), texts })),
  ];
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
