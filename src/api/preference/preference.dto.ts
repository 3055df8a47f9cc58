import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { ChosenBy, Frequency, SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import { MuteThreadDto, MutedThreadDto } from './mute/mute.dto.js';
import { MAX_MUTED_THREADS } from './mute/mute.sql.js';
import { SOURCES } from './precedence.js';
import type { Source } from './precedence.js';
import { AT_ONCE, FREQUENCY } from './read-choices.js';
import type { ChoiceChanges } from './read-choices.js';

const CHOSEN_AT = { type: String, format: 'date-time', nullable: true } as const;
const CHOSEN_BY = { enum: ChosenBy, type: String, nullable: true } as const;
const CAUSE = { enum: SuppressionCause, type: String, nullable: true } as const;

/** The user's master switch for everything over one channel type. */
class MasterSwitchDto {
  /** @example 'email' */
  type: string;

  /**
   * While false, nothing is sent over it, except messages of required categories and of events without a category.
   * @example true
   */
  on: boolean;

  /**
   * When it was chosen; null: it never was.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty(CHOSEN_AT)
  chosen_at: string | null;

  /**
   * Who chose: the `person`, a `key` on their behalf, or the user with an unsubscribe `link`.
   * @example 'key'
   */
  @ApiProperty(CHOSEN_BY)
  chosen_by: ChosenBy | null;

  /**
   * Why the address for it is not used in the whole organization; null: it is used. `categories` say it for each project.
   * @example 'hard_bounce'
   */
  @ApiProperty(CAUSE)
  suppressed: SuppressionCause | null;
}

/** Whether the user gets messages over one channel type, and why. */
export class PreferenceDto {
  /** @example 'email' */
  type: string;

  /** @example false */
  on: boolean;

  /**
   * What decided: `suppressed` (the address is not used), `required` (the category), the user's choice about `channel` (the master
   * switch), `event_channel`, `event`, `category_channel` or `category`, the category's `channel_default` or `default`, or
   * `transactional` (the event has no category).
   * @example 'category_channel'
   */
  @ApiProperty({ enum: SOURCES })
  source: Source;

  /**
   * When the choice that decided was made; null: no choice decided.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty(CHOSEN_AT)
  chosen_at: string | null;

  /**
   * Who made it: the `person`, a `key` on their behalf, or the user with an unsubscribe `link`.
   * @example 'key'
   */
  @ApiProperty(CHOSEN_BY)
  chosen_by: ChosenBy | null;

  /**
   * With `suppressed`: why the address is not used.
   * @example 'hard_bounce'
   */
  @ApiProperty(CAUSE)
  cause: SuppressionCause | null;
}

/** A category, and what the user gets of it. */
class CategoryPreferenceDto {
  /**
   * Slug of the project.
   * @example 'shop'
   */
  project: string;

  /**
   * Its name in an update: project and slug.
   * @example 'shop/news'
   */
  category: string;

  /** @example 'News' */
  name: string;

  /** @example 'What is new in the shop' */
  description: string;

  /**
   * Whether nobody can refuse it.
   * @example false
   */
  required: boolean;

  /**
   * How often the messages come outside the app: `at_once`, or in one message a day or a week.
   * @example 'daily'
   */
  @ApiProperty({ enum: [AT_ONCE, ...Object.values(Frequency)] })
  frequency: Frequency | typeof AT_ONCE;

  /**
   * What may be chosen instead of `at_once`; empty: nothing.
   * @example ["daily", "weekly"]
   */
  @ApiProperty({ enum: Frequency, isArray: true })
  frequencies: Frequency[];

  /** @example [{ "type": "email", "on": false, "source": "category_channel", "chosen_at": "2030-01-01T08:00:00.000Z", "chosen_by": "key", "cause": null }] */
  channels: PreferenceDto[];
}

/** An event that the user has chosen about, and what the user gets of it. */
class EventPreferenceDto {
  /**
   * Slug of the project.
   * @example 'shop'
   */
  project: string;

  /**
   * Its name in an update: project, application and slug.
   * @example 'shop/web/order-paid'
   */
  event: string;

  /** @example 'Order paid' */
  name: string;

  /**
   * Null: it has none, so the choice does not count.
   * @example 'shop/news'
   */
  @ApiProperty({ type: String, nullable: true })
  category: string | null;

  /**
   * Whether nobody can refuse it.
   * @example false
   */
  required: boolean;

  /** @example [{ "type": "email", "on": false, "source": "category_channel", "chosen_at": "2030-01-01T08:00:00.000Z", "chosen_by": "key", "cause": null }] */
  channels: PreferenceDto[];
}

/** An open list, and whether the user is on it. */
class ListPreferenceDto {
  /**
   * Slug of the project.
   * @example 'shop'
   */
  project: string;

  /**
   * Its name in an update: project and name.
   * @example 'shop/Tips'
   */
  list: string;

  /** @example 'Tips' */
  name: string;

  /** @example 'A tip each week' */
  description: string;

  /**
   * Whether the user is an active member.
   * @example true
   */
  on: boolean;
}

/** What a user gets, and why. */
export class PreferencesDto {
  /** @example [{ "type": "email", "on": true, "chosen_at": null, "chosen_by": null, "suppressed": null }] */
  channels: MasterSwitchDto[];

  /**
   * All categories, ordered by project and slug.
   * @example [{ "project": "shop", "category": "shop/news", "name": "News", "description": "What is new in the shop", "required": false, "frequency": "at_once", "frequencies": ["daily", "weekly"], "channels": [] }]
   */
  categories: CategoryPreferenceDto[];

  /**
   * Only events that the user has chosen about.
   * @example [{ "project": "shop", "event": "shop/web/order-paid", "name": "Order paid", "category": "shop/news", "required": false, "channels": [] }]
   */
  events: EventPreferenceDto[];

  /**
   * The open lists of the organization, ordered by project and name.
   * @example [{ "project": "shop", "list": "shop/Tips", "name": "Tips", "description": "A tip each week", "on": true }]
   */
  lists: ListPreferenceDto[];

  /** What the user has muted, the newest first. */
  @ApiProperty({ type: [MutedThreadDto], example: [] })
  muted_threads: MutedThreadDto[];
}

const CHOICE = { enum: ['on', 'off', true, false, null] };
const choicesWith = (properties: object) =>
  ({
    type: 'object',
    additionalProperties: {
      oneOf: [CHOICE, { type: 'object', minProperties: 1, properties, additionalProperties: CHOICE }],
    },
  }) as object;
const OF_CATEGORY = choicesWith({ [FREQUENCY]: { enum: [AT_ONCE, ...Object.values(Frequency), null] } });

/** Changes of a user's choices. `on`, `off`, `true` and `false` are choices. `null` forgets a choice: the default counts again. */
export class UpdatePreferencesDto implements ChoiceChanges {
  /**
   * Everything over a channel type: the master switch.
   * @example { "sms": "off" }
   */
  @ApiProperty({ type: 'object', additionalProperties: CHOICE as object })
  @Optional()
  @IsObject({ message: 'must be an object' })
  channels?: ChoiceChanges['channels'];

  /**
   * Categories by name: `shop/news`, or `news` if only one project has such a category. A choice for every channel type, or by channel type;
   * `all` then means those without a choice of their own. `frequency` says how often they come outside the app: `at_once`, `daily` or `weekly`, as far as
   * the category allows it. `null` forgets all choices about the category.
   * @example { "news": { "email": "off" } }
   */
  @ApiProperty(OF_CATEGORY)
  @Optional()
  @IsObject({ message: 'must be an object' })
  categories?: ChoiceChanges['categories'];

  /**
   * Events by name: `shop/web/order-paid`, or a shorter end of it if only one event fits. The same choices as for categories.
   * @example { "shop/web/order-paid": "off" }
   */
  @ApiProperty(choicesWith({}))
  @Optional()
  @IsObject({ message: 'must be an object' })
  events?: ChoiceChanges['events'];
}

export class ChangePreferencesDto extends UpdatePreferencesDto {
  /**
   * Open lists by name: `shop/Tips`, or `Tips` if only one open list has this name. `on` joins the list, `off` leaves it: the user stays
   * a member that gets nothing, so that nobody adds them again.
   * @example { "shop/Tips": "on" }
   */
  @ApiProperty({ type: 'object', additionalProperties: { enum: ['on', 'off', true, false] } as object })
  @Optional()
  @IsObject({ message: 'must be an object' })
  lists?: Record<string, unknown>;

  /**
   * Things to mute, or to mute no more: messages about them are not sent for 90 days, in any category that the user can refuse. A user has at most 200, then
   * the oldest ends.
   */
  @ApiProperty({
    type: [MuteThreadDto],
    maxItems: MAX_MUTED_THREADS,
    example: [{ application: 'shop/web', thread: 'incident.id', value: 'INC-42' }],
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_MUTED_THREADS)
  muted_threads?: MuteThreadDto[];
}
