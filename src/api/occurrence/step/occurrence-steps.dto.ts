import { ApiProperty } from '@nestjs/swagger';
import { AcknowledgementDto } from '../acknowledge/acknowledge.dto.js';
import type { AcknowledgementRow } from '../acknowledge/acknowledge.dto.js';

const ACKNOWLEDGEMENT_EXAMPLE = {
  user: 'ann@example.com',
  at: '2030-01-01T08:03:10.000Z',
  way: 'link',
  step: 1,
  note: 'I am on it.',
};
const STOPPED_EXAMPLE = [{ notification: 'Tell the staff', step: 2, channels: ['sms'], repeats: 0 }];

export const STEPS_EXAMPLE = {
  open: true,
  acknowledgement: ACKNOWLEDGEMENT_EXAMPLE,
  resolution: null,
  next_at: '2030-01-01T08:10:00.000Z',
};
export const STEPS_OUTCOME_EXAMPLE = { ...STEPS_EXAMPLE, stopped: STOPPED_EXAMPLE };

/** In JSON a time is a text. */
export interface OccurrenceStepsRow {
  open: boolean;
  nextAt: string | null;
  acknowledgement: AcknowledgementRow | null;
  resolution: { occurrence: string; event: string | null; at: string } | null;
}

/** The trigger that ended the steps of an occurrence. */
class StepsResolutionDto {
  /**
   * The slug of its event, in the same application; null: its occurrence was deleted.
   * @example 'incident-over'
   */
  @ApiProperty({ type: String, nullable: true })
  event: string | null;

  /**
   * The occurrence of the trigger.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example '2030-01-01T08:04:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** What became of the steps of an occurrence. */
export class OccurrenceStepsDto {
  /**
   * Whether it is open: a step asks for an acknowledgement, and nothing has ended the steps. An acknowledgement ends them, too, unless an event with
   * `resolves_event` says when this one is over: then it is open until that.
   * @example true
   */
  open: boolean;

  /** The first acknowledgement that has not lapsed; null: there is none. */
  @ApiProperty({ type: AcknowledgementDto, nullable: true, example: ACKNOWLEDGEMENT_EXAMPLE })
  acknowledgement: AcknowledgementDto | null;

  /** The first trigger that ended the steps of a notification; null: none did. */
  @ApiProperty({ type: StepsResolutionDto, nullable: true, example: null })
  resolution: StepsResolutionDto | null;

  /**
   * When its next step is due at the earliest. If it is over or acknowledged by then, the step sends nothing. Null: no step follows, or it waits for
   * another reason.
   * @example '2030-01-01T08:10:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  next_at: string | null;

  static from({ open, nextAt, acknowledgement, resolution }: OccurrenceStepsRow): OccurrenceStepsDto {
    return {
      open,
      acknowledgement: acknowledgement && AcknowledgementDto.from(acknowledgement),
      resolution: resolution && { ...resolution, at: timeOf(resolution.at) },
      next_at: nextAt === null ? null : timeOf(nextAt),
    };
  }
}

/** A step that is not taken any more, or not as often as it could be. */
export class StoppedStepDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * Its place among the steps, from 1.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  step: number;

  /**
   * The slugs of its channels.
   * @example ["sms"]
   */
  channels: string[];

  /**
   * `0`: the step was not taken. Otherwise it was, and up to so many repetitions are left out.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  repeats: number;
}

/** What became of the steps of an occurrence, and which of them are left out. */
export class StepsOutcomeDto extends OccurrenceStepsDto {
  /** What is not sent any more because of the resolution, or of the acknowledgement if it counts for everyone; empty: nothing. */
  @ApiProperty({ type: [StoppedStepDto], example: STOPPED_EXAMPLE })
  stopped: StoppedStepDto[];
}

const timeOf = (at: string): string => new Date(at).toISOString();
