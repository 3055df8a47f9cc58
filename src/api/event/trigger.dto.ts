import { ApiExtraModels, ApiProperty, PickType, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { LOCALE_MAX_LENGTH } from '../../platform/field/region/locale.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { PRIORITIES } from '../../platform/queue/priority.js';
import type { Priority } from '../../platform/queue/priority.js';
import { MAX_RECIPIENTS } from '../../rules/ruleset/named.js';
import { AttachmentDto, MAX_ATTACHMENTS } from '../attachment/attachment.dto.js';
import { CreateAddressDto } from '../user/address.dto.js';
import { UserFieldsDto } from '../user/user.dto.js';

/** Characters of the value of a thread. */
export const MAX_THREAD = 1000;

const NAME = { type: 'string', minLength: 1, maxLength: 254 };

/**
 * A user who is created, or changed if there is one with this e-mail. Fields that you leave out keep their values. `custom_fields` are merged
 * into the stored ones.
 */
export class RecipientDto extends PickType(UserFieldsDto, [
  'email',
  'first_name',
  'last_name',
  'custom_fields',
  'time_zone',
  'locale',
] as const) {
  /** Addresses that are added, besides the e-mail. */
  @ApiProperty({ type: [CreateAddressDto], maxItems: 20, example: [{ name: 'phone', value: '+15551234567' }] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(20)
  addresses?: CreateAddressDto[];
}

/** A time on the clock of each user. */
class LocalTimeDto {
  /**
   * Without a zone: each user gets the message when their own clock shows it. The zone of the user counts, else that of the organization, else UTC. A
   * post to a room goes by the clock of the organization.
   * @example '2027-06-01T09:00'
   */
  @ApiProperty({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' })
  local: string;
}

/** Customizes the notification process. Unknown options are refused. */
@ApiExtraModels(RecipientDto, LocalTimeDto)
export class TriggerOptionsDto {
  /**
   * Send only over these channels: slugs of channels of the project or the organization, or channel types such as `email`.
   * @example ['email']
   */
  @ApiProperty({ type: 'array', minItems: 1, maxItems: 100, items: NAME })
  channels?: string[];

  /**
   * The users whom notifications with `to: recipients` reach: usernames, or objects that create or change a user in the same transaction. An
   * event with such a notification needs them; other events refuse them. They do not stop posts to rooms, nor notifications with lists or an
   * audience. Objects also need the permission `user:write`, and a key that is not bound to a project.
   * @example ['ann@example.com']
   */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    items: { oneOf: [NAME, { $ref: getSchemaPath(RecipientDto) }] },
  })
  recipients?: (string | RecipientDto)[];

  /**
   * Send only to these users, by e-mail or username. Rooms get no post then, unless `rooms` is true.
   * @example ['ann@example.com']
   */
  @ApiProperty({ type: 'array', minItems: 1, maxItems: 10_000, items: NAME })
  limit_to?: string[];

  /**
   * Post to rooms, too, although `limit_to` limits the users.
   * @example true
   */
  @ApiProperty({ type: Boolean, enum: [true] })
  rooms?: true;

  /**
   * Send nothing before this time. It may be at most a minute ago, and as far ahead as the quota `send_at_days` allows. With an `Idempotency-Key`
   * it may be up to 24 hours ago: a request that was not stored can be sent again, and its messages are sent at once. With `local`, each user gets the
   * message at that time on their own clock; where that time has passed already, at once.
   * @example '2027-06-01T08:00:00Z'
   */
  @ApiProperty({
    oneOf: [{ type: 'string', format: 'date-time' }, { $ref: getSchemaPath(LocalTimeDto) }],
  })
  send_at?: string | LocalTimeDto;

  /**
   * Messages that are not sent by this time are skipped. It must be in the future.
   * @example '2027-06-01T09:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  expires_at?: string;

  /**
   * `critical` also needs the permission `event:trigger-critical`.
   * @example 'normal'
   */
  @ApiProperty({ enum: PRIORITIES, default: 'normal' })
  priority?: Priority;

  /**
   * The language and region that templates format for, instead of the locale of each user and of the organization: a BCP 47 language tag.
   * @example 'de-AT'
   */
  @ApiProperty({ maxLength: LOCALE_MAX_LENGTH })
  locale?: string;

  /**
   * Files for all messages. Mails carry them; other channels get links to them (`occurrence.attachments` in templates). Each is stored once, however many
   * users get it. If they are too large for a channel of the event, the error names the channel and its limit.
   * @example [{ "filename": "hello.txt", "content_type": "text/plain", "content": "SGVsbG8=" }]
   */
  @ApiProperty({ type: [AttachmentDto], minItems: 1, maxItems: MAX_ATTACHMENTS })
  attachments?: AttachmentDto[];

  /**
   * Ends the open steps of all notifications of the application whose `thread` has this value, of occurrences that were triggered before.
   * @example 'INC-42'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_THREAD })
  resolves_thread?: string;
}

/** Every field is optional. The whole body is optional too. */
export class TriggerDto {
  /**
   * Data used by the notification templates.
   * @example { "order": "A-17", "total": 120 }
   */
  context?: Record<string, unknown>;

  options?: TriggerOptionsDto;
}

export const TRIGGER_EXAMPLES = {
  now: { summary: 'To everyone, at once', value: { context: { order: 'A-17', total: 120 } } },
  one: {
    summary: 'To one user, in the inbox only, after everything else',
    value: {
      context: { order: 'A-17', total: 120 },
      options: { channels: ['inbox'], limit_to: ['ann@example.com'], priority: 'bulk' },
    },
  },
};

/** The event was triggered, and the occurrence is stored. */
export class TriggeredDto {
  /**
   * The identifier of the new occurrence.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;
}
