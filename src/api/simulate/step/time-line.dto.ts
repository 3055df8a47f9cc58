import { ApiProperty } from '@nestjs/swagger';
import { EVIDENCE } from '../../../rules/ruleset/rule.js';
import type { Evidence } from '../../../rules/ruleset/rule.js';

// Not as an @example comment: its parser takes the colons for a URL.
const SENTENCE = '2030-01-01T08:10:00Z: mail to those who have not read it by then.';

/** A step of a notification that has steps, and when it would be taken. */
export class SimulatedStepDto {
  /** @example 'Tell the staff' */
  notification: string;

  /**
   * Its place among the steps of the notification. Steps whose channels the options leave out are left out.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  step: number;

  /**
   * Which repetition of the step it is; 0: it is the first time.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  repeat: number;

  /**
   * When it would be taken, if the messages of the steps before are sent at once.
   * @example '2030-01-01T08:10:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * So long after the step before; null: it is the first.
   * @example '10m'
   */
  @ApiProperty({ type: String, nullable: true })
  after: string | null;

  /**
   * The evidence that ends the steps for a user; null: none.
   * @example 'read'
   */
  @ApiProperty({ enum: [...EVIDENCE, null], type: String, nullable: true })
  unless: Evidence | null;

  /** @example ['mail'] */
  channels: string[];

  @ApiProperty({ example: SENTENCE })
  sentence: string;
}
