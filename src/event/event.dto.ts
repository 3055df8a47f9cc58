import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';
import { IsName, IsSlug } from '../field/slug.js';
import { PRIORITIES } from '../queue/priority.js';
import type { Priority } from '../queue/priority.js';

/** Something that happens in an application and that people may be told of. */
export class EventDto {
  /** @example 'Order paid' */
  name: string;

  /** @example 'order-paid' */
  slug: string;

  static from({ name, slug }: EventDto): EventDto {
    return { name, slug };
  }
}

/** An event with its settings. */
export class EventSettingsDto extends EventDto {
  /** @example true */
  enabled: boolean;

  /**
   * For how many days its occurrences are kept; null: as long as the service says.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true })
  retention_days: number | null;

  /**
   * An occurrence that would reach more people is held until someone approves it; null: no ceiling.
   * @example 1000
   */
  @ApiProperty({ type: 'integer', nullable: true })
  max_recipients: number | null;
}

const isSet = (_: unknown, value: unknown) => value !== undefined && value !== null;

export class UpdateEventDto {
  /** @example 'Order paid' */
  @Optional()
  @IsName()
  name?: string;

  /**
   * Switched off, its occurrences wait; what waits goes on once it is on again.
   * @example true
   */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /**
   * For how many days its occurrences are kept; null: as long as the service says.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 3650 })
  @ValidateIf(isSet)
  @IsInt()
  @Min(1)
  @Max(3650)
  retention_days?: number | null;

  /**
   * An occurrence that would reach more people is held until someone approves it; null: no ceiling.
   * @example 1000
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 2_147_483_647 })
  @ValidateIf(isSet)
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  max_recipients?: number | null;
}

export class CreateEventDto extends OmitType(UpdateEventDto, ['name']) {
  /** @example 'order-paid' */
  @IsSlug()
  slug: string;

  /** @example 'Order paid' */
  @IsName()
  name: string;
}

/** Customizes the notification process. A key that is not listed here is refused. */
export class TriggerOptionsDto {
  /**
   * Only over these channels: slugs of the project's or the organization's channels, or channel types such as `email`.
   * @example ['email']
   */
  @ApiProperty({ maxItems: 100 })
  channels?: string[];

  /**
   * Only to these people, by e-mail or username.
   * @example ['ann@acme.test']
   */
  @ApiProperty({ maxItems: 10_000 })
  limit_to?: string[];

  /**
   * Not before this time.
   * @example '2030-01-01T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  send_at?: string;

  /**
   * What has not left by this time is not sent.
   * @example '2030-01-01T09:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  expires_at?: string;

  /** @example 'normal' */
  @ApiProperty({ enum: PRIORITIES, default: 'normal' })
  priority?: Priority;
}

/** All of it is optional, and so is the body. */
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
  later: {
    summary: 'By e-mail only, later, to one person',
    value: {
      context: { order: 'A-17', total: 120 },
      options: { channels: ['email'], limit_to: ['ann@acme.test'], send_at: '2030-01-01T08:00:00Z' },
    },
  },
};

/** The event was triggered: this is committed. */
export class TriggeredDto {
  /**
   * The identifier of the new occurrence.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;
}
