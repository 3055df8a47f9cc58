import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { LOCALE_MAX_LENGTH } from '../../platform/field/region/locale.js';
import {
  ALERTS,
  MAX_ALERT_CHANNELS,
  MAX_ALERT_MINUTES,
  MAX_ALERT_USERS,
  MAX_ALERTS_PER_HOUR,
} from '../../engine/alert/alert-settings.js';
import type { AlertSettings } from '../../engine/alert/alert-settings.js';
import type { MessageLimit } from '../../platform/field/message-limit.js';
import { MAX_RANGES } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import { LOGO, LogoDto } from '../logo/logo.dto.js';
import type { StoredLogo } from '../logo/logo.js';
import { MAX_LOGO_BASE64 } from '../logo/read-logo.js';
import type { PageTexts } from '../recipient-page/texts.js';
import { MAX_ADDRESS, MAX_LINKS } from './read-brand.js';
import { COLOR, MAX_ORIGINS } from './read-settings.js';
import { CreateWeeklyRangeDto, MessageLimitDto, QUIET_HOURS, WeeklyRangeDto } from './settings.dto.js';

interface OrganizationSettingsRow {
  slug: string;
  timeZone: string | null;
  quietHours: unknown;
  locale: string | null;
  messageLimit: unknown;
  color: string | null;
  address: string | null;
  links: unknown;
  logo: unknown;
  pageTexts: unknown;
  origins: string[];
  alerts: unknown;
}

/** Who is told of channels that fail, of occurrences that are held, and of messages that wait too long. */
class AlertsDto {
  /**
   * The usernames of the users who are told, over the first of their addresses whose channel works: an e-mail, if they have one. Names without a user are
   * skipped.
   * @example ['ann@example.com']
   */
  @ApiProperty({ type: [String], maxItems: MAX_ALERT_USERS })
  users: string[];

  /**
   * Channels that need no address, such as a room of a chat: the slug of one of the organization, or project and slug.
   * @example ['shop/team']
   */
  @ApiProperty({ type: [String], maxItems: MAX_ALERT_CHANNELS })
  channels: string[];

  /**
   * They are told of a backlog when a message that is due has waited for so many minutes; null: never.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_ALERT_MINUTES })
  waiting_minutes: number | null;

  /**
   * The most alerts in an hour. The others wait, and are not sent if they are over by then.
   * @example 10
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ALERTS_PER_HOUR })
  per_hour: number;
}

/** Fields that you leave out are empty, or as we choose: 10 alerts in an hour. */
class UpdateAlertsDto extends PartialType(AlertsDto) {}

/** A link at the end of a mail. */
class BrandLinkDto {
  /** @example 'Help' */
  label: string;

  /** @example 'https://acme.test/help' */
  url: string;
}

const TEXTS = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
  example: { de: { save: 'Sichern' } },
} as const;

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4AWNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

/** The image to show. */
class UpdateLogoDto {
  /**
   * A PNG, JPEG or WebP image in base64: at most 256 KB, and 2,000 pixels wide and high.
   */
  @ApiProperty({ maxLength: MAX_LOGO_BASE64, example: IMAGE })
  content: string;
}

const LINKS = [{ label: 'Help', url: 'https://acme.test/help' }];

/** The settings of an organization that apply to all its users. */
export class OrganizationSettingsDto {
  /**
   * The clock of users without a time zone of their own; null: UTC.
   * @example 'Europe/Rome'
   */
  @ApiProperty({ type: String, nullable: true })
  time_zone: string | null;

  /** When messages wait, for users without quiet hours of their own; null: never. */
  @ApiProperty({ type: [WeeklyRangeDto], nullable: true, example: QUIET_HOURS })
  quiet_hours: WeeklyRange[] | null;

  /**
   * The language and region that templates format for, for users without a locale of their own and in rooms; null: `en`.
   * @example 'de-AT'
   */
  @ApiProperty({ type: String, nullable: true })
  locale: string | null;

  /** The most messages for one user, over all events with a category that is not `required`; null: no limit. */
  @ApiProperty({ type: MessageLimitDto, nullable: true, example: { count: 5, per: 'day' } })
  limit: MessageLimit | null;

  /**
   * The color of the pages that recipients see, of the inbox element, and of layouts (`brand.color`); null: ours. Where it could not be read, pages and the
   * element show it darker or lighter.
   * @example '#1a7f37'
   */
  @ApiProperty({ type: String, nullable: true })
  color: string | null;

  /**
   * The line at the end of mails with the layout `default` (`brand.address`); null: none.
   * @example 'Acme Inc, Main Street 1, 12345 Springfield'
   */
  @ApiProperty({ type: String, nullable: true })
  address: string | null;

  /** The links at the end of mails with the layout `default` (`brand.links`); null: none. */
  @ApiProperty({ type: [BrandLinkDto], nullable: true, example: LINKS })
  links: BrandLinkDto[] | null;

  /** The image in mails with the layout `default` (`brand.logo`), on the pages that recipients see, and in the inbox element; null: none. */
  @ApiProperty({ type: LogoDto, nullable: true, example: LOGO })
  logo: LogoDto | null;

  /** Texts that replace those of the pages that recipients see and of the inbox element, by language and name; null: none. */
  @ApiProperty({ ...TEXTS, nullable: true })
  page_texts: PageTexts | null;

  /**
   * The web pages that may send requests with recipient tokens (CORS).
   * @example ['https://app.example.com']
   */
  origins: string[];

  /** Who is told of channels that fail, of occurrences that are held, and of messages that wait too long; null: nobody. */
  @ApiProperty({ type: AlertsDto, nullable: true, example: ALERTS })
  alerts: AlertSettings | null;

  static from(
    {
      slug,
      timeZone,
      quietHours,
      locale,
      messageLimit,
      color,
      address,
      links,
      logo,
      pageTexts,
      origins,
      alerts,
    }: OrganizationSettingsRow,
    publicUrl: string | null,
  ): OrganizationSettingsDto {
    return {
      time_zone: timeZone,
      quiet_hours: quietHours as WeeklyRange[] | null,
      locale,
      limit: messageLimit as MessageLimit | null,
      color,
      address,
      links: links as BrandLinkDto[] | null,
      page_texts: pageTexts as PageTexts | null,
      logo: logo === null ? null : LogoDto.from(slug, logo as StoredLogo, publicUrl),
      origins,
      alerts: alerts as AlertSettings | null,
    };
  }
}

/** Fields that you leave out keep their values. */
// `readOrganizationSettings` checks them, as it does for a file.
export class UpdateOrganizationSettingsDto {
  /**
   * The IANA name of a time zone; null: UTC.
   * @example 'Europe/Rome'
   */
  @ApiProperty({ type: String, nullable: true })
  @Allow()
  time_zone?: string | null;

  /** When messages wait, for users without quiet hours of their own; null: never. At least one hour of the week must be free. */
  @ApiProperty({ type: [CreateWeeklyRangeDto], nullable: true, maxItems: MAX_RANGES, example: QUIET_HOURS })
  @Allow()
  quiet_hours?: CreateWeeklyRangeDto[] | null;

  /**
   * A BCP 47 language tag, for users without a locale of their own and in rooms; null: `en`.
   * @example 'de-AT'
   */
  @ApiProperty({ type: String, nullable: true, maxLength: LOCALE_MAX_LENGTH })
  @Allow()
  locale?: string | null;

  /** The most messages for one user, over all events with a category that is not `required`; null: no limit. */
  @ApiProperty({ type: MessageLimitDto, nullable: true, example: { count: 5, per: 'day' } })
  @Allow()
  limit?: MessageLimitDto | null;

  /**
   * The color of the pages that recipients see, of the inbox element, and of layouts; null: ours.
   * @example '#1a7f37'
   */
  @ApiProperty({ type: String, nullable: true, pattern: COLOR.source })
  @Allow()
  color?: string | null;

  /**
   * The line at the end of mails with the layout `default`; null: none.
   * @example 'Acme Inc, Main Street 1, 12345 Springfield'
   */
  @ApiProperty({ type: String, nullable: true, maxLength: MAX_ADDRESS })
  @Allow()
  address?: string | null;

  /** The links at the end of mails with the layout `default`: `https:` or `mailto:`; null: none. */
  @ApiProperty({ type: [BrandLinkDto], nullable: true, maxItems: MAX_LINKS, example: LINKS })
  @Allow()
  links?: BrandLinkDto[] | null;

  /**
   * The image in mails with the layout `default`, on the pages that recipients see, and in the inbox element. Mails that were sent keep theirs: the service serves the last
   * ten. null: none, and the service serves no earlier one either.
   */
  @ApiProperty({ type: UpdateLogoDto, nullable: true, example: { content: IMAGE } })
  @Allow()
  logo?: UpdateLogoDto | null;

  /**
   * Texts that replace those of the pages that recipients see and of the inbox element, by language and name. They are plain texts of at most 500 characters; `{category}` and
   * others stand for the same values as in our texts. null: none.
   */
  @ApiProperty({ ...TEXTS, nullable: true })
  @Allow()
  page_texts?: PageTexts | null;

  /** The web pages that may send requests with recipient tokens (CORS): scheme, host and port, as in the header `Origin`; null: none. */
  @ApiProperty({
    ...{ type: 'array', items: { type: 'string' }, nullable: true, maxItems: MAX_ORIGINS },
    example: ['https://app.example.com'],
  })
  @Allow()
  origins?: string[] | null;

  /** Who is told of channels that fail, of occurrences that are held, and of messages that wait too long; null: nobody. */
  @ApiProperty({ type: UpdateAlertsDto, nullable: true, example: ALERTS })
  @Allow()
  alerts?: UpdateAlertsDto | null;
}
