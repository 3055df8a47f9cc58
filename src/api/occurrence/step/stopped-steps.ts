import type { OccurrenceStatus } from '../../../platform/database/generated/prisma/enums.js';
import type { Decision } from '../../../rules/ruleset/decide.js';
import type { Rule } from '../../../rules/ruleset/rule.js';
import type { Resolution } from '../../../rules/thread/resolution.js';
import { lapseOf } from '../../../rules/step/lapse.js';
import { laterSteps } from '../../../rules/step/later-steps.js';
import type { LaterStep } from '../../../rules/step/later-steps.js';
import type { DeliveryGroup } from '../counts.js';
import type { StoppedStepDto } from './occurrence-steps.dto.js';

/** A notification with steps, as it was when the event was triggered. */
export type FollowedRule = Pick<Rule, 'id' | 'thread' | 'steps' | 'acknowledge' | 'templates'>;

interface StepsFacts {
  status: OccurrenceStatus;
  followed: FollowedRule[];
  decisions: Decision[] | null;
  groups: DeliveryGroup[];
  resolutions: Pick<Resolution, 'notification'>[];
}

/** The steps and repetitions that a resolution left out, or an acknowledgement that counts for everyone. */
export function stoppedSteps(
  { status, followed, decisions, groups, resolutions }: StepsFacts,
  acknowledgement: { at: Date | string } | null,
): StoppedStepDto[] {
  if (status === 'canceled') return [];
  return (decisions ?? []).flatMap((decision) => {
    const rule = followed.find(({ id }) => id === decision.notification);
    const isOver = resolutions.some(({ notification }) => notification === decision.notification);
    const isAcknowledged = acknowledgement !== null && rule !== undefined && countsForAll(rule, acknowledgement.at);
    const own = groups.filter(({ notification }) => notification === decision.notification);
    const slugs = new Map(decision.channels.map(({ channel, slug }) => [channel, slug]));
    return laterSteps(rule, decision)
      .filter(({ unless }) => isOver || (isAcknowledged && unless !== null))
      .flatMap((step) => {
        const repeats = leftOf(step, own);
        if (repeats === null) return [];
        const channels = step.channels.map((channel) => slugs.get(channel) ?? '');
        return [{ notification: decision.name, step: step.number, channels, repeats }];
      });
  });
}

function countsForAll(rule: FollowedRule, at: Date | string): boolean {
  const lapse = lapseOf(rule);
  const isHeld = lapse === null || new Date(at).getTime() + lapse * 1000 > Date.now();
  return isHeld && rule.acknowledge?.by !== 'each';
}

/** 0: the step was not taken. Null: nothing is left of it, or its entry without repetitions says that it was not taken. */
function leftOf({ channels, repeats }: LaterStep, groups: DeliveryGroup[]): number | null {
  const taken = groups.filter(({ channel }) => channels.includes(channel));
  if (repeats === 0) return taken.length === 0 ? 0 : null;
  const left = repeats - Math.max(...taken.map(({ repetition }) => repetition));
  return taken.length > 0 && left > 0 ? left : null;
}
