import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DURATION } from '../../../platform/field/duration.js';
import { ACKNOWLEDGED_BY, EVIDENCE } from '../../../rules/ruleset/rule.js';
import type { Evidence, RuleAcknowledge } from '../../../rules/ruleset/rule.js';
import { MAX_AFTER_SECONDS, MAX_CHANNELS } from './read-steps.js';

/** A step of a notification: the channels that are used at the same time. */
export class StepDto {
  /**
   * Slugs of channels that the notification has templates for. A channel belongs to one step.
   * @example ['mail']
   */
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_CHANNELS })
  channels: string[];

  /**
   * So long after the first message of the step before was sent to the user, or, if none was, after it was decided that none is: `90s`, `10m`, `2h`
   * or `1d`. The first step has none, every other one has it.
   * @example '10m'
   */
  after?: string;

  /**
   * The evidence that ends the steps for a user, about any message of the steps before. `sent`: a channel accepted it. `delivered`: the provider
   * reported that it arrived, or it is in the inbox. `seen`: the provider reported that it was opened, or it was shown in the inbox; openings by
   * machines do not count. `read`: it was read in the inbox. `acknowledged`: a user acknowledged the occurrence. Each includes those after it. Left out: the step is
   * taken in any case.
   * @example 'read'
   */
  @ApiProperty({ enum: EVIDENCE })
  unless?: Evidence;
}

export class CreateStepDto extends OmitType(StepDto, ['after']) {
  /**
   * So long after the first message of the step before was sent to the user, or, if none was, after it was decided that none is: `90s`, `10m`, `2h`
   * or `1d`, or a number of seconds, at most 30 days. The first step has none, every other one needs it.
   * @example '10m'
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', pattern: DURATION.source },
      { type: 'integer', minimum: 1, maximum: MAX_AFTER_SECONDS },
    ],
  })
  after?: string | number;
}

/** What an acknowledgement of an occurrence does to the steps of a notification. */
export class AcknowledgeDto implements RuleAcknowledge {
  /**
   * `anyone`: one acknowledgement ends the steps for all users. `each`: it ends them for the user who acknowledged.
   * @example 'each'
   */
  @ApiProperty({ enum: ACKNOWLEDGED_BY })
  by: RuleAcknowledge['by'];
}
