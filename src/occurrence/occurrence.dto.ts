import { ApiProperty } from '@nestjs/swagger';
import { Gate, OccurrenceStatus } from '../generated/prisma/enums.js';
import { PRIORITIES } from '../queue/priority.js';
import type { Priority } from '../queue/priority.js';
import type { Decision } from '../ruleset/decide.js';
import { countsOf, gatesOf, rulesOf } from './counts.js';
import type { DeliveryGroup } from './counts.js';
import { CountsDto, RULE_EXAMPLE, RuleDto } from './rule.dto.js';

/** After these, nothing more is made; what was made may still be on its way. */
const ENDS: readonly OccurrenceStatus[] = ['expanded', 'canceled', 'failed'];

type Json = Record<string, unknown>;

export interface OccurrenceRow {
  id: string;
  status: OccurrenceStatus;
  options: { priority?: Priority; send_at?: string; expires_at?: string };
  createdAt: Date;
  expandedAt: Date | null;
  canceledAt: Date | null;
  approvedAt: Date | null;
}

export interface OccurrenceDetailRow extends OccurrenceRow {
  event: string;
  application: string;
  project: string;
  context: Json;
  problem: string | null;
  decisions: Decision[] | null;
  groups: DeliveryGroup[];
}

/** One trigger of an event. */
export class OccurrenceDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * `pending` waits for a worker, or for its `send_at`; `expanding`: its people are being worked out; `expanded`: every
   * delivery it causes exists; `canceled`: stopped by a person; `failed`: its people could not be worked out; `held`: it would reach
   * more people than its event's `max_recipients`, and waits to be approved or canceled.
   * @example 'expanded'
   */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;

  /** @example '2030-01-01T07:55:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * As the trigger asked for; null when it did not.
   * @example 'critical'
   */
  @ApiProperty({ type: String, enum: PRIORITIES, nullable: true })
  priority: Priority | null;

  /**
   * Not before this time.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  send_at: string | null;

  /**
   * What has not left by this time is not sent.
   * @example '2030-01-01T09:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  /**
   * When its people had been worked out.
   * @example '2030-01-01T08:00:01.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expanded_at: string | null;

  /**
   * When a person stopped it.
   * @example '2030-01-01T08:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  canceled_at: string | null;

  /**
   * When a person let it go on after it was held.
   * @example '2030-01-01T08:20:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  approved_at: string | null;

  static from({ id, status, options, createdAt, expandedAt, canceledAt, approvedAt }: OccurrenceRow): OccurrenceDto {
    const { priority, send_at: sendAt, expires_at: expiresAt } = options;
    return {
      id,
      status,
      created_at: createdAt.toISOString(),
      priority: priority ?? null,
      send_at: sendAt === undefined ? null : new Date(sendAt).toISOString(),
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
      expanded_at: expandedAt?.toISOString() ?? null,
      canceled_at: canceledAt?.toISOString() ?? null,
      approved_at: approvedAt?.toISOString() ?? null,
    };
  }
}

/** One trigger of an event, and what became of it. */
export class OccurrenceDetailDto extends OccurrenceDto {
  /** @example 'order-paid' */
  event: string;

  /** @example 'web' */
  application: string;

  /** @example 'shop' */
  project: string;

  /**
   * The data of the trigger.
   * @example { "order": "A-17", "total": 120 }
   */
  context: Json;

  /**
   * The options of the trigger.
   * @example { "priority": "critical" }
   */
  options: Json;

  /**
   * With `failed`: why.
   * @example 'the ruleset cannot be read'
   */
  @ApiProperty({ type: String, nullable: true })
  problem: string | null;

  /**
   * Whether nothing more will come of it.
   * @example false
   */
  done: boolean;

  counts: CountsDto;

  /**
   * How many of the skipped deliveries each gate decided against.
   * @example { "locked": 3 }
   */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(Object.values(Gate).map((gate) => [gate, { type: 'integer' }])),
    additionalProperties: false,
  })
  gates: Partial<Record<Gate, number>>;

  /** Every notification of the event as it stood when it was triggered; none yet while the occurrence is `pending`. */
  @ApiProperty({ example: [RULE_EXAMPLE] })
  rules: RuleDto[];

  static override from(row: OccurrenceDetailRow): OccurrenceDetailDto {
    const { event, application, project, context, options, problem, decisions, groups, status } = row;
    const counts = countsOf(groups);
    return {
      ...OccurrenceDto.from(row),
      event,
      application,
      project,
      context,
      options,
      problem,
      done: ENDS.includes(status) && counts.pending === 0,
      counts,
      gates: gatesOf(groups),
      rules: rulesOf(decisions ?? [], groups),
    };
  }
}
