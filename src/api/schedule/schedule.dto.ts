import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { TriggerOptionsDto } from '../event/trigger.dto.js';

/** One slot of a schedule that has come. */
class ScheduleRunDto {
  /** @example '2030-01-07T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  slot: string;

  /**
   * The occurrence that it stored; null: it was skipped.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  occurrence: string | null;

  /**
   * Why it was skipped.
   * @example 'the event was switched off'
   */
  @ApiProperty({ type: String, nullable: true })
  skipped: string | null;
}

/** When an event is triggered again and again. */
export class ScheduleDto {
  /** @example '0 9 * * mon' */
  cron: string;

  /** @example 'Europe/Rome' */
  time_zone: string;

  /**
   * The context of each trigger.
   * @example { "report": "weekly" }
   */
  context: Record<string, unknown>;

  /** @example { "priority": "bulk" } */
  @ApiProperty({ type: TriggerOptionsDto })
  options: Record<string, unknown>;

  /**
   * While false, it is paused.
   * @example true
   */
  enabled: boolean;

  /**
   * The next five slots; none while it is paused.
   * @example ['2030-01-14T08:00:00.000Z']
   */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'date-time' } })
  next_runs: string[];

  /** The last 100 slots, newest first. */
  @ApiProperty({
    example: [{ slot: '2030-01-07T08:00:00.000Z', occurrence: null, skipped: 'the event was switched off' }],
  })
  last_runs: ScheduleRunDto[];
}

export class PutScheduleDto {
  /**
   * Five fields: minute, hour, day of the month, month, day of the week.
   * @example '0 9 * * mon'
   */
  @IsString()
  cron: string;

  /**
   * The IANA name of the time zone whose clock counts. Left out: UTC.
   * @example 'Europe/Rome'
   */
  @Optional()
  @IsString()
  time_zone?: string;

  /**
   * The context of each trigger.
   * @example { "report": "weekly" }
   */
  @Optional()
  @IsObject()
  context?: Record<string, unknown>;

  /**
   * The options of each trigger, without `send_at` and `expires_at`. `recipients` must be usernames. `critical` also needs the permission
   * `event:trigger-critical`.
   * @example { "priority": "bulk" }
   */
  @ApiProperty({ type: TriggerOptionsDto })
  @Optional()
  @IsObject()
  options?: Record<string, unknown>;

  /**
   * false: it is paused. Slots that come meanwhile are not run later.
   * @example true
   */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}

export class UpdateScheduleDto {
  /**
   * false pauses the schedule, true resumes it. Slots that came meanwhile are not run.
   * @example false
   */
  @IsBoolean()
  enabled: boolean;
}
