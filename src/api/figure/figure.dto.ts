import { ApiProperty } from '@nestjs/swagger';
import { FIGURE_KEYS } from './figure.sql.js';
import type { FigureKey } from './figure.sql.js';

const integer = () => ApiProperty({ type: 'integer' });
const seconds = () => ApiProperty({ type: 'integer', nullable: true });

/** How many messages have which outcome. Each delivery is one message. */
export class FigureCountsDto {
  /**
   * All of them: `sent`, `failed`, `waiting` and `skipped` together.
   * @example 1042
   */
  @integer()
  messages: number;

  /**
   * Those that their provider has taken, whatever it reported later.
   * @example 990
   */
  @integer()
  sent: number;

  /**
   * Those that were given up.
   * @example 12
   */
  @integer()
  failed: number;

  /**
   * Those that are to be sent.
   * @example 0
   */
  @integer()
  waiting: number;

  /**
   * Those that a gate stopped, such as a user without an address.
   * @example 40
   */
  @integer()
  skipped: number;

  /**
   * Of `skipped`: users who do not want them.
   * @example 31
   */
  @integer()
  opted_out: number;

  /**
   * Of `sent`: those whose provider has reported that they arrived, and nothing more.
   * @example 700
   */
  @integer()
  delivered: number;

  /**
   * Of `sent`: those that were opened, or whose links were followed.
   * @example 210
   */
  @integer()
  seen: number;

  /**
   * Of `sent`: those that came back.
   * @example 8
   */
  @integer()
  bounced: number;

  /**
   * Of `sent`: those that their users reported as spam.
   * @example 1
   */
  @integer()
  complained: number;

  /**
   * Half of the messages that were sent took at most so many seconds from the trigger until their provider took them; null: none was sent. It is one of 1, 2, 5,
   * 10, 30, 60, 300, 900, 3600, 21600, 86400 and 604800. A time that they had to wait, such as quiet hours or `send_at`, does not count.
   * @example 2
   */
  @seconds()
  half_within_seconds: number | null;

  /**
   * The same for 95 of 100 messages.
   * @example 10
   */
  @seconds()
  most_within_seconds: number | null;
}

/** The messages of one hour, event, channel and so on. */
export class FigureRowDto extends FigureCountsDto {
  /**
   * What they have in common, as `by` says: the path of an event (`shop/web/order-paid`), the path of a channel (`shop/hook`, or `mail` of the organization), the slug of a
   * project, a domain, an outcome, or a reason (`skipped/opted_out`). For an hour or a day, when it begins. Null: something that was deleted.
   * @example 'shop/web/order-paid'
   */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

const EXAMPLE: FigureRowDto = {
  name: 'shop/web/order-paid',
  ...{ messages: 1042, sent: 990, failed: 12, waiting: 0, skipped: 40, opted_out: 31 },
  ...{ delivered: 700, seen: 210, bounced: 8, complained: 1, half_within_seconds: 2, most_within_seconds: 10 },
};

/** Counts of messages by the time of their occurrences. */
export class FiguresDto {
  /**
   * From this time: the beginning of an hour.
   * @example '2030-01-01T00:00:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  since: string;

  /**
   * Until before this time: the end of an hour.
   * @example '2030-01-08T00:00:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  until: string;

  /**
   * The time zone of the organization, in which its days and hours begin.
   * @example 'Europe/Berlin'
   */
  time_zone: string;

  /** @example 'event' */
  @ApiProperty({ enum: FIGURE_KEYS })
  by: FigureKey;

  total: FigureCountsDto;

  /** Hours and days in their order, also those without messages; others with the most messages first. */
  @ApiProperty({ example: [EXAMPLE] })
  rows: FigureRowDto[];

  /** The messages that are in no row: of domains after the 50 with the most messages, and of events, channels, projects or reasons after the first 100. */
  rest: FigureCountsDto;
}
