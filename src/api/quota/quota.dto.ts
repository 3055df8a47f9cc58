import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { QUOTAS } from '../../platform/config/quota.js';
import type { QuotaName } from '../../platform/config/quota.js';

export class QuotaDto {
  /**
   * The most that the organization may use.
   * @example 200
   */
  @ApiProperty({ type: 'integer' })
  limit: number;

  /**
   * Whether it is the default of the service.
   * @example true
   */
  is_default: boolean;

  /**
   * How much it uses; null: not counted.
   * @example 12
   */
  @ApiProperty({ type: 'integer', nullable: true })
  used: number | null;
}

/** What an organization may use, and what it uses. */
export class OrganizationQuotasDto {
  /** Triggers and replays a second, over all keys, in each process of the service. */
  triggers_per_second: QuotaDto;

  /**
   * Megabytes stored: occurrences with their deliveries and messages, in-app messages, notifications, users, the audit log. An estimate. At the
   * quota, nothing more can be triggered or created; reading, changing and deleting still work.
   */
  stored_mb: QuotaDto;

  /** Notifications of one event. `used`: of the event with most. */
  notifications_per_event: QuotaDto;

  /** Kilobytes that the notifications of one event take with their templates. `used`: of the largest event. */
  ruleset_kb: QuotaDto;

  /** How many days `options.send_at` of a trigger may be ahead. */
  send_at_days: QuotaDto;

  /** Schedules of its events. */
  schedules: QuotaDto;

  /** Megabytes of files: uploads, and files that occurrences carry. Files with the same bytes count once. */
  files_mb: QuotaDto;
  /** Layouts and partials of the organization and its projects. */
  layouts: QuotaDto;

  /**
   * When `stored_mb` was last measured. What was triggered since then is added to it; null: not measured yet.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  measured_at: Date | null;
}

const isSet = (_: unknown, value: unknown) => value !== undefined && value !== null;

/** A quota, or null for the default of the service. */
const IsQuota = (name: QuotaName) =>
  applyDecorators(
    ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: QUOTAS[name].max }),
    ValidateIf(isSet),
    IsInt(),
    Min(1),
    Max(QUOTAS[name].max),
  );

export class UpdateOrganizationQuotasDto {
  /** @example 100 */
  @IsQuota('triggers_per_second')
  triggers_per_second?: number | null;

  /** @example 10240 */
  @IsQuota('stored_mb')
  stored_mb?: number | null;

  /** @example 50 */
  @IsQuota('notifications_per_event')
  notifications_per_event?: number | null;

  /** @example 1024 */
  @IsQuota('ruleset_kb')
  ruleset_kb?: number | null;

  /** @example 30 */
  @IsQuota('send_at_days')
  send_at_days?: number | null;

  /** @example 50 */
  @IsQuota('schedules')
  schedules?: number | null;

  /** @example 1024 */
  @IsQuota('files_mb')
  files_mb?: number | null;
  /** @example 50 */
  @IsQuota('layouts')
  layouts?: number | null;
}
