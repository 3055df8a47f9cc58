import { ApiProperty } from '@nestjs/swagger';

export interface ChannelHealthRow {
  id: number;
  project: string | null;
  slug: string;
  name: string;
  type: string;
  enabled: boolean;
  failures: number;
  failingSince: Date | null;
  probeAt: Date | null;
}

const STATES = ['ok', 'failing', 'resting'] as const;
type ChannelHealth = (typeof STATES)[number];

/** Whether the provider of a channel works. */
export class ChannelHealthDto {
  /**
   * The slug of the project that owns the channel; null: the organization owns it.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * The slug of the channel.
   * @example 'mail'
   */
  channel: string;

  /** @example 'Mail' */
  name: string;

  /** @example 'email' */
  type: string;

  /**
   * Whether it is switched on.
   * @example true
   */
  enabled: boolean;

  /**
   * `ok`: the last attempt did not fail, or there was none. `failing`: the last attempts failed, and others follow. `resting`: so many
   * attempts failed that its messages wait, and one message is tried at `next_probe_at`.
   * @example 'resting'
   */
  @ApiProperty({ enum: STATES })
  state: ChannelHealth;

  /**
   * The number of attempts in a row that failed.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  failures: number;

  /**
   * The time of the first of these failures.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  failing_since: string | null;

  /**
   * With `resting`: when the next message is tried.
   * @example '2030-01-01T08:01:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_probe_at: string | null;

  static from({
    project,
    slug,
    name,
    type,
    enabled,
    failures,
    failingSince,
    probeAt,
  }: ChannelHealthRow): ChannelHealthDto {
    return {
      ...{ project, channel: slug, name, type, enabled },
      state: probeAt ? 'resting' : failures > 0 ? 'failing' : 'ok',
      failures,
      failing_since: failingSince?.toISOString() ?? null,
      next_probe_at: probeAt?.toISOString() ?? null,
    };
  }
}
