import { ApiProperty } from '@nestjs/swagger';
import { Gate, OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import { PRIORITIES } from '../../platform/queue/priority.js';
import { localTimeOf } from '../../platform/send-at.js';
import type { SendAt } from '../../platform/send-at.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import type { Priority } from '../../platform/queue/priority.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import type { Resolution } from '../../rules/thread/resolution.js';
import { AcknowledgementDto } from './acknowledge/acknowledge.dto.js';
import type { AcknowledgementRow } from './acknowledge/acknowledge.dto.js';
import { CarriedFileDto } from '../attachment/attachment.dto.js';
import { countsOf, gatesOf, rulesOf } from './counts.js';
import type { DeliveryGroup } from './counts.js';
import { OCCURRENCE_WARNINGS, warningsOf } from './occurrence-warning.js';
import { CountsDto, RULE_EXAMPLE, RuleDto } from './rule.dto.js';
import {
  OccurrenceStepsDto,
  STEPS_EXAMPLE,
  STEPS_OUTCOME_EXAMPLE,
  StepsOutcomeDto,
} from './step/occurrence-steps.dto.js';
import type { OccurrenceStepsRow } from './step/occurrence-steps.dto.js';
import { stoppedSteps } from './step/stopped-steps.js';
import type { FollowedRule } from './step/stopped-steps.js';

/** Statuses after which no more deliveries are created. Existing deliveries may still be pending. */
const EXPANSION_ENDED: readonly OccurrenceStatus[] = ['expanded', 'canceled', 'failed'];

type Json = Record<string, unknown>;

export interface OccurrenceRow {
  id: string;
  status: OccurrenceStatus;
  options: { priority?: Priority; send_at?: SendAt; expires_at?: string; attachments?: StoredAttachment[] };
  createdAt: Date;
  expandedAt: Date | null;
  canceledAt: Date | null;
  approvedAt: Date | null;
}

interface PlacedOccurrenceRow extends OccurrenceRow {
  event: string;
  application: string;
  project: string;
}

export interface CountedOccurrenceRow extends PlacedOccurrenceRow {
  counts?: CountsDto;
  /** Null: no notification of it has steps. */
  steps?: OccurrenceStepsRow | null;
}

export interface OccurrenceFoundRow extends Omit<OccurrenceDetailRow, 'resolutions' | 'nothingEnded'> {
  eventId: number;
  resolvesEvent: string | null;
}

interface OccurrenceDetailRow extends PlacedOccurrenceRow {
  context: Json;
  problem: string | null;
  decisions: Decision[] | null;
  groups: DeliveryGroup[];
  unknownUsers: string[];
  acknowledgements: AcknowledgementRow[];
  resolutions: Resolution[];
  ended: EndedThreadDto[];
  /** Why the trigger ended no steps although its event ends those of another one; null: it did, or need not. */
  nothingEnded: string | null;
  nextStepAt: Date | null;
  /** Null: no notification of it has steps. */
  steps: OccurrenceStepsRow | null;
  /** Its notifications with steps. */
  followed: FollowedRule[];
}

/** One trigger of an event. */
export class OccurrenceDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * `pending`: it waits for a worker, or for its `send_at`; `expanding`: its recipients are being resolved; `expanded`: all its
   * deliveries exist; `canceled`: somebody canceled it; `failed`: the recipients could not be resolved; `held`: it would reach more
   * users than `max_recipients` of its event, and waits until somebody approves or cancels it.
   * @example 'expanded'
   */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;

  /** @example '2030-01-01T07:55:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * The priority that the trigger asked for; null: none.
   * @example 'critical'
   */
  @ApiProperty({ type: String, enum: PRIORITIES, nullable: true })
  priority: Priority | null;

  /**
   * Nothing is sent before this time.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  send_at: string | null;

  /**
   * The time on the clock of each user at which the message is sent to them; null: the trigger named none.
   * @example '2030-01-01T09:00'
   */
  @ApiProperty({ type: String, nullable: true })
  send_at_local: string | null;

  /**
   * Messages that are not sent by this time are skipped.
   * @example '2030-01-01T09:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  /**
   * When all its recipients had been resolved.
   * @example '2030-01-01T08:00:01.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expanded_at: string | null;

  /**
   * When somebody canceled it.
   * @example '2030-01-01T08:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  canceled_at: string | null;

  /**
   * When somebody approved it after it was held.
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
      send_at: typeof sendAt === 'string' ? new Date(sendAt).toISOString() : null,
      send_at_local: localTimeOf(sendAt),
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
      expanded_at: expandedAt?.toISOString() ?? null,
      canceled_at: canceledAt?.toISOString() ?? null,
      approved_at: approvedAt?.toISOString() ?? null,
    };
  }
}

/** One trigger of an event, with the place of the event. */
class OccurrencePlaceDto extends OccurrenceDto {
  /** @example 'order-paid' */
  event: string;

  /** @example 'web' */
  application: string;

  /** @example 'shop' */
  project: string;

  static override from(row: PlacedOccurrenceRow): OccurrencePlaceDto {
    const { event, application, project } = row;
    return { ...OccurrenceDto.from(row), event, application, project };
  }
}

/** One trigger of an event, as the list of all events has it. */
export class PlacedOccurrenceDto extends OccurrencePlaceDto {
  /** Only with `counts=1`: its deliveries by their status, the first 1,000 of them. */
  counts?: CountsDto;

  /** Only with `steps=1`: what became of its steps; null: no notification that applies has steps. */
  @ApiProperty({ type: OccurrenceStepsDto, required: false, nullable: true, example: STEPS_EXAMPLE })
  steps?: OccurrenceStepsDto | null;

  static override from(row: CountedOccurrenceRow): PlacedOccurrenceDto {
    return {
      ...OccurrencePlaceDto.from(row),
      ...(row.counts && { counts: row.counts }),
      ...(row.steps !== undefined && { steps: row.steps && OccurrenceStepsDto.from(row.steps) }),
    };
  }
}

/** Something that is probably a mistake. */
class OccurrenceWarningDto {
  /**
   * `unknown_users`: `recipients` or `limit_to` name somebody who is not a user now; `nobody`: the trigger reached nobody;
   * `nothing_ended`: its event ends the steps of another one, and the trigger ended none.
   * @example 'unknown_users'
   */
  @ApiProperty({ enum: OCCURRENCE_WARNINGS })
  kind: (typeof OCCURRENCE_WARNINGS)[number];

  /** @example 'Not users: nobody@example.com.' */
  detail: string;
}

/** A later trigger that resolved the thread of a notification. Steps that were not taken before are not taken. */
class ThreadResolutionDto {
  /**
   * The name of the notification; empty while the occurrence is `pending`.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * The occurrence of the trigger. Its event may have a shorter retention.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example '2030-01-01T08:04:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** A thread whose steps the trigger ended. Its value is that of the field in the context of the trigger. */
class EndedThreadDto {
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
}

/** One trigger of an event, with its outcome. */
export class OccurrenceDetailDto extends OccurrencePlaceDto {
  /**
   * The data of the trigger.
   * @example { "order": "A-17", "total": 120 }
   */
  context: Json;

  /**
   * The options of the trigger, without its attachments.
   * @example { "priority": "critical" }
   */
  options: Json;

  /** The files that its messages carry. */
  @ApiProperty({ type: [CarriedFileDto], example: [] })
  attachments: CarriedFileDto[];

  /**
   * With `failed`: the reason.
   * @example 'the ruleset cannot be read'
   */
  @ApiProperty({ type: String, nullable: true })
  problem: string | null;

  /** What is probably a mistake; empty: nothing. */
  @ApiProperty({ type: [OccurrenceWarningDto], example: [] })
  warnings: OccurrenceWarningDto[];

  /** Who acknowledged it, the first 20; empty: nobody. */
  @ApiProperty({ type: [AcknowledgementDto], example: [] })
  acknowledgements: AcknowledgementDto[];

  /** The triggers that ended the steps of its notifications, at most one of each; empty: none did. */
  @ApiProperty({ type: [ThreadResolutionDto], example: [] })
  resolutions: ThreadResolutionDto[];

  /** The threads whose steps the trigger ended, if there were any; empty: it ends none. */
  @ApiProperty({ type: [EndedThreadDto], example: [] })
  ended: EndedThreadDto[];

  /**
   * When its next step is due at the earliest. If it is over or acknowledged by then, the step sends nothing. Null: no step follows, or it waits for
   * another reason.
   * @example '2030-01-01T08:10:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_step_at: string | null;

  /** What became of its steps; null: no notification that applies has steps. */
  @ApiProperty({ type: StepsOutcomeDto, nullable: true, example: STEPS_OUTCOME_EXAMPLE })
  steps: StepsOutcomeDto | null;

  /**
   * Whether it is finished: no delivery is pending, and no more are created.
   * @example false
   */
  done: boolean;

  counts: CountsDto;

  /**
   * The number of skipped deliveries of each gate.
   * @example { "locked": 3 }
   */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(Object.values(Gate).map((gate) => [gate, { type: 'integer' }])),
    additionalProperties: false,
  })
  gates: Partial<Record<Gate, number>>;

  /** Every notification of the event, as it was when the event was triggered. Empty while the occurrence is `pending`. */
  @ApiProperty({ example: [RULE_EXAMPLE] })
  rules: RuleDto[];

  static override from(row: OccurrenceDetailRow): OccurrenceDetailDto {
    const { context, problem, decisions, groups, status } = row;
    const { attachments = [], ...options } = row.options;
    const counts = countsOf(groups);
    return {
      ...OccurrencePlaceDto.from(row),
      context,
      options,
      attachments: attachments.map(CarriedFileDto.from),
      problem,
      warnings: warningsOf(row),
      acknowledgements: row.acknowledgements.map(AcknowledgementDto.from),
      resolutions: row.resolutions.map(({ notification, occurrence, at }) => ({
        notification: decisions?.find((each) => each.notification === notification)?.name ?? '',
        occurrence,
        at: at.toISOString(),
      })),
      ended: row.ended,
      next_step_at: row.nextStepAt?.toISOString() ?? null,
      steps: row.steps && {
        ...OccurrenceStepsDto.from(row.steps),
        stopped: stoppedSteps(row, row.steps.acknowledgement),
      },
      done: EXPANSION_ENDED.includes(status) && counts.pending === 0,
      counts,
      gates: gatesOf(groups),
      rules: rulesOf(decisions ?? [], groups),
    };
  }
}
