import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { MAX_FOR_SECONDS } from '../../../rules/step/lapse.js';
import { MAX_STEP_LISTS } from './read-step-to.js';
import { DURATION } from '../../../platform/field/duration.js';
import { ACKNOWLEDGED_BY, EVIDENCE } from '../../../rules/ruleset/rule.js';
import type { Evidence, RuleAcknowledge } from '../../../rules/ruleset/rule.js';
import { CreateWeeklyRangeDto, WeeklyRangeDto } from '../../settings/settings.dto.js';
import { MAX_AFTER_SECONDS, MAX_CHANNELS, MAX_TIMES, MIN_EVERY_SECONDS } from './read-steps.js';

const DAYTIME = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };

/** How a step is taken again, until its evidence is there. */
class RepeatDto {
  /**
   * So long after the message before: `90s`, `10m`, `2h` or `1d`, at least a minute.
   * @example '15m'
   */
  every: string;

  /**
   * How often at most, besides the first time. The next step follows after the last time.
   * @example 4
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_TIMES })
  times: number;
}

class CreateRepeatDto extends OmitType(RepeatDto, ['every']) {
  /**
   * So long after the message before: `90s`, `10m`, `2h` or `1d`, or a number of seconds, from a minute to 30 days.
   * @example '15m'
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', pattern: DURATION.source },
      { type: 'integer', minimum: MIN_EVERY_SECONDS, maximum: MAX_AFTER_SECONDS },
    ],
  })
  every: string | number;
}

/** Whom a step means. At least a list or an audience. */
class StepToDto {
  /**
   * Names of distribution lists of the project.
   * @example ['Managers']
   */
  @ApiProperty({ type: [String], maxItems: MAX_STEP_LISTS })
  distribution_lists: string[];

  /** A filter over the users of the organization, besides the lists; left out: there is none. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { field: 'custom_fields.team', is: 'ops' } })
  audience?: Record<string, unknown>;
}

class CreateStepToDto extends PartialType(StepToDto) {
  /**
   * The name of a distribution list, in place of a list of one.
   * @example 'Managers'
   */
  distribution_list?: string;
}

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
   * taken in any case. The first step has it only with `repeat`, whose repetitions it ends.
   * @example 'read'
   */
  @ApiProperty({ enum: EVIDENCE })
  unless?: Evidence;

  /** How it is taken again, until its evidence is there; left out: it is taken once. */
  @ApiProperty({ type: RepeatDto, example: { every: '15m', times: 4 } })
  repeat?: RepeatDto;

  /**
   * Whom it means, instead of the users of the step before. `after` counts from the first message of that step, whoever got it, and `unless` asks for
   * the occurrence as a whole: one message with this evidence ends it. Left out: the users of the step before.
   */
  @ApiProperty({ type: StepToDto, example: { distribution_lists: ['Managers'] } })
  to?: StepToDto;

  /** When its messages may be sent, by the recipient's clock, in place of the window of the notification; left out: in that window. */
  @ApiProperty({ type: WeeklyRangeDto, example: DAYTIME })
  window?: WeeklyRangeDto;
}

export class CreateStepDto extends OmitType(StepDto, ['after', 'repeat', 'to', 'window']) {
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

  /** How it is taken again, until its evidence is there; left out: it is taken once. */
  @ApiProperty({ type: CreateRepeatDto, example: { every: '15m', times: 4 } })
  repeat?: CreateRepeatDto;

  /**
   * Whom it means, instead of the users of the step before. `after` counts from the first message of that step, whoever got it, and `unless` asks for
   * the occurrence as a whole: one message with this evidence ends it. The first step has none. Left out: the users of the step before.
   */
  @ApiProperty({ type: CreateStepToDto, example: { distribution_list: 'Managers' } })
  to?: CreateStepToDto;

  /** When its messages may be sent, by the recipient's clock, in place of the window of the notification; left out: in that window. */
  @ApiProperty({ type: CreateWeeklyRangeDto, example: DAYTIME })
  window?: CreateWeeklyRangeDto;
}

/** What an acknowledgement of an occurrence does to the steps of a notification. */
export class AcknowledgeDto implements RuleAcknowledge {
  /**
   * `anyone`: one acknowledgement ends the steps for all users. `each`: it ends them for the user who acknowledged.
   * @example 'each'
   */
  @ApiProperty({ enum: ACKNOWLEDGED_BY })
  by: RuleAcknowledge['by'];

  /**
   * So long after it, an acknowledgement lapses, and the steps continue with those that are due by then: `90s`, `10m`, `2h` or `1d`. Left out: it never
   * does.
   * @example '4h'
   */
  for?: string;
}

export class CreateAcknowledgeDto extends PartialType(OmitType(AcknowledgeDto, ['for'])) {
  /**
   * So long after it, an acknowledgement lapses, and the steps continue with those that are due by then: `90s`, `10m`, `2h` or `1d`, or a number of
   * seconds, from a minute to 30 days. Left out: it never does. `by` is `anyone` then, if it is left out.
   * @example '4h'
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', pattern: DURATION.source },
      { type: 'integer', minimum: MIN_EVERY_SECONDS, maximum: MAX_FOR_SECONDS },
    ],
  })
  for?: string | number;
}
