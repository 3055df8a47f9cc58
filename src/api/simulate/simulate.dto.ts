import { ApiProperty } from '@nestjs/swagger';
import { TriggerDto } from '../event/trigger.dto.js';
import { FREQUENCIES } from '../../rules/frequency/category-digests.js';
import type { Frequency } from '../../rules/frequency/category-digests.js';
import { Per, WaitsFor } from '../../platform/database/generated/prisma/enums.js';
import { RenderedRichDto } from '../delivery/rendered-rich.dto.js';
import { UsedLanguageDto } from '../delivery/used-language.dto.js';
import { UpdateNotificationDto } from '../notification/notification.dto.js';
import { SimulatedStepDto } from './step/time-line.dto.js';
import { CHANNEL_VERDICTS, RULE_VERDICTS } from '../../rules/ruleset/decide.js';

/** Every kind of warning. */
const WARNINGS = [
  'switched_off',
  'held',
  'no_rules',
  'nothing_matches',
  'rule_failed',
  'no_channel',
  'channel_gone',
  'channel_disabled',
  'channel_problem',
  'unknown_people',
  'expired',
  'nothing_to_resolve',
  'empty_audience',
  'unreached_step',
  'step_waits',
  'template_failed',
  'missing_variables',
  'empty_link',
  'not_checked',
] as const;

const CHANNEL_EXAMPLE = { channel: 'mail', per: 'person', verdict: 'open', people: 12, gates: { locked: 2 }, send: 10 };
const MESSAGE_EXAMPLE = {
  notification: 'Tell the staff',
  channel: 'mail',
  user: 'ann@example.com',
  recipient: 'ann@example.com',
  subject: 'Order A-17 paid',
  text: 'Hi Ann, 120 EUR.',
  html: '<p>Hi Ann</p>',
  from: null,
  reply_to: null,
  headers: null,
  url: null,
  image: null,
  actions: null,
  data: null,
  template: null,
  left_out: [],
  language: null,
  problem: null,
  waits_for: null,
  until: null,
  frequency: null,
};
const WARNING_EXAMPLE = {
  notification: 'Tell the staff',
  channel: 'mail',
  kind: 'missing_variables',
  detail: 'The context has no value for order, user.custom_fields.team.',
};

/** A notification as it would be published. A new one needs a name and templates. */
class DraftNotificationDto extends UpdateNotificationDto {
  /**
   * The notification that it replaces. Fields that you leave out keep their values. Without an id, it is a new one.
   * @example 9
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id?: number;
}

/** The body of a trigger, a time, and the draft of a notification. Every field is optional, and so is the body. */
export class SimulateDto extends TriggerDto {
  /**
   * The time of the simulated trigger; left out: now. It decides what has expired, and templates see it as the occurrence's time.
   * @example '2030-01-01T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  at?: string;

  /** The draft of a notification, in place of the published one or in addition. It also needs the permission `notification:write`. */
  notification?: DraftNotificationDto;
}

/** The users whom a notification would reach over one channel, or the room. */
class SimulatedChannelDto {
  /**
   * The slug of the channel; null when it was deleted.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * `room`: one post for everyone; `person`: one message for each recipient.
   * @example 'person'
   */
  @ApiProperty({ enum: Per })
  per: Per;

  /**
   * `later`: for a later step of the notification. `limited`: the options limit the trigger to some users, and the channel posts to a room.
   * @example 'open'
   */
  @ApiProperty({ enum: CHANNEL_VERDICTS })
  verdict: (typeof CHANNEL_VERDICTS)[number];

  /**
   * The number of recipients of the notification; 0 for a room.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  people: number;

  /**
   * How many messages each gate keeps back.
   * @example { "locked": 2 }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  gates: Record<string, number>;

  /**
   * How many messages would be sent: one for each recipient whom no gate keeps back, or one post to the room. In a later step: at most.
   * @example 10
   */
  @ApiProperty({ type: 'integer' })
  send: number;
}

/** The verdict on a notification. */
class SimulatedRuleDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /** @example 'matched' */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: (typeof RULE_VERDICTS)[number];

  /**
   * With `failed`: why.
   * @example 'the condition of the rule failed: length() cannot take number.'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ example: [CHANNEL_EXAMPLE] })
  channels: SimulatedChannelDto[];
}

/** The totals over all notifications and channels. */
class SimulatedTotalsDto {
  /**
   * The number of recipients. A user counts once, even with several notifications or channels. A room is nobody.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  people: number;

  /**
   * How many messages would be sent, without later steps. Only the first ones are rendered: others may still have a problem.
   * @example 10
   */
  @ApiProperty({ type: 'integer' })
  messages: number;

  /**
   * How many messages each gate keeps back.
   * @example { "locked": 2 }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  gates: Record<string, number>;
}

/** The message that one user would be sent, or the post to a room. */
export class SimulatedMessageDto extends RenderedRichDto {
  /** @example 'Tell the staff' */
  notification: string;

  /** @example 'mail' */
  channel: string;

  /**
   * The username; null for a post to a room.
   * @example 'ann@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  user: string | null;

  /**
   * The address of the recipient; empty when the channel needs none.
   * @example 'ann@example.com'
   */
  recipient: string;

  /** @example 'Order A-17 paid' */
  subject: string;

  /** @example 'Hi Ann, 120 EUR.' */
  text: string;

  /** @example '<p>Hi Ann</p>' */
  html: string;

  /** Its language, and why; null: the template has no translations. */
  @ApiProperty({ type: UsedLanguageDto, nullable: true, example: null })
  language: UsedLanguageDto | null;

  /**
   * Why the message could not be sent; null when it could.
   * @example 'the template failed: The template took too long.'
   */
  @ApiProperty({ type: String, nullable: true })
  problem: string | null;

  /**
   * Why it would not be sent at once: `quiet`: the user has quiet hours; `window`: the send window of the notification; `digest`: it would be gathered.
   * Limits are not counted in a simulation.
   * @example 'quiet'
   */
  @ApiProperty({ enum: [...Object.values(WaitsFor), null], type: String, nullable: true })
  waits_for: WaitsFor | null;

  /**
   * When it would be sent, alone or with its digest, unless that is full before, or in a later step if it comes to that; null: at once.
   * @example '2030-01-01T08:00:00Z'
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until: string | null;

  /**
   * With `digest`: the user wants the messages of the category so often, so it would go into the `daily` or the `weekly` digest; null: it would go into
   * a digest of the notification.
   * @example 'daily'
   */
  @ApiProperty({ enum: [...FREQUENCIES, null], type: String, nullable: true })
  frequency: Frequency | null;
}

/** Something that is probably a mistake. */
export class SimulateWarningDto {
  /**
   * The notification that the warning is about; null: all of them.
   * @example 'Tell the staff'
   */
  @ApiProperty({ type: String, nullable: true })
  notification: string | null;

  /**
   * The channel that the warning is about; null: all of them.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /** @example 'missing_variables' */
  @ApiProperty({ enum: WARNINGS })
  kind: (typeof WARNINGS)[number];

  /** @example 'The context has no value for order, user.custom_fields.team.' */
  detail: string;
}

/** A thread whose steps the trigger would end. */
class SimulatedEndDto {
  /**
   * The slug of the event; null: all of the application, with `resolves_thread`.
   * @example 'incident'
   */
  @ApiProperty({ type: String, nullable: true })
  event: string | null;

  /**
   * The field of the context; null: whatever it is, with `resolves_thread`.
   * @example 'incident.id'
   */
  @ApiProperty({ type: String, nullable: true })
  field: string | null;

  /**
   * What the steps are about.
   * @example 'INC-42'
   */
  value: string;

  /**
   * How many occurrences have open steps about it, of the newest 1,000 of each event.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  occurrences: number;
}

/** The effects that a trigger would have. */
export class SimulationDto {
  @ApiProperty({
    example: [{ notification: 'Tell the staff', verdict: 'matched', reason: null, channels: [CHANNEL_EXAMPLE] }],
  })
  rules: SimulatedRuleDto[];

  totals: SimulatedTotalsDto;

  /** The steps of the notifications that have some, in the order of time. */
  @ApiProperty({ type: [SimulatedStepDto], example: [] })
  time_line: SimulatedStepDto[];

  /** The threads whose steps the trigger would end: those of `resolves_event` of the event, and of `resolves_thread`. */
  @ApiProperty({ type: [SimulatedEndDto], example: [] })
  ends: SimulatedEndDto[];

  /** The first 20 messages; none without the permission `user:read`. */
  @ApiProperty({ example: [MESSAGE_EXAMPLE] })
  messages: SimulatedMessageDto[];

  @ApiProperty({ example: [WARNING_EXAMPLE] })
  warnings: SimulateWarningDto[];
}
