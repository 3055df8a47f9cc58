import { durationText } from '../../../platform/field/duration.js';
import { counted, ended, listed, moment } from '../../explain/explain-sentence.js';
import type { Decision, Target } from '../../../rules/ruleset/decide.js';
import { ruleOf } from '../../../rules/ruleset/rule.js';
import type { Evidence, Rule } from '../../../rules/ruleset/rule.js';
import { laterSteps } from '../../../rules/step/later-steps.js';
import type { SimulatedStepDto } from './time-line.dto.js';

/** A rule over a channel of a later step, and when that step is taken if every message before is sent at once. */
interface LaterTarget extends Target {
  at: Date;
}

/** The targets of all later steps. */
export function laterTargets(rules: Rule[], decisions: Decision[], at: Date): LaterTarget[] {
  return decisions.flatMap((decision) => {
    let time = at.getTime();
    return laterSteps(ruleOf(rules, decision), decision).flatMap(({ channels, after }) => {
      time += after * 1000;
      return channels.map((channel) => ({ notification: decision.notification, channel, at: new Date(time) }));
    });
  });
}

const NOT_YET: Record<Evidence, string> = {
  sent: 'those to whom nothing was sent by then',
  delivered: 'those to whom nothing was delivered by then',
  seen: 'those who have not seen it by then',
  read: 'those who have not read it by then',
  acknowledged: 'those for whom nobody has acknowledged it by then',
};

const notYet = (unless: Evidence, { acknowledge }: Pick<Rule, 'acknowledge'>) =>
  unless === 'acknowledged' && acknowledge?.by === 'each'
    ? 'those who have not acknowledged it by then'
    : NOT_YET[unless];

/** The steps of the notifications that have some, in the order of time. `peopleOf`: the users of a notification. */
export function timeLineOf(
  rules: Rule[],
  decisions: Decision[],
  at: Date,
  peopleOf: (notification: number) => number,
): SimulatedStepDto[] {
  const line = decisions.flatMap((decision) => {
    const rule = ruleOf(rules, decision);
    const steps = laterSteps(rule, decision);
    const slugs = (ids: number[]) => ids.map((id) => decision.channels.find(({ channel }) => channel === id)!.slug);
    const [second] = steps;
    if (!second) return [];
    const people = peopleOf(decision.notification);
    const users = `${counted(people)} ${people === 1 ? 'user' : 'users'}`;
    const entry = (number: number, time: number, channels: number[], to: string, more: object) => ({
      ...{ notification: decision.name, step: number, after: null, unless: null, ...more },
      at: new Date(time).toISOString(),
      channels: slugs(channels),
      sentence: ended(`${moment(new Date(time))}: ${listed(slugs(channels))} to ${to}`),
    });
    let time = at.getTime();
    return [
      entry(second.number - 1, time, second.before, users, {}),
      ...steps.map(({ number, channels, after, unless }) => {
        time += after * 1000;
        return entry(number, time, channels, unless ? notYet(unless, rule) : users, {
          after: durationText(after),
          unless,
        });
      }),
    ];
  });
  return line.toSorted((a, b) => a.at.localeCompare(b.at));
}
