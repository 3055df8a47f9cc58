import { durationText } from '../../../platform/field/duration.js';
import { counted, ended, listed, moment } from '../../explain/explain-sentence.js';
import type { Decision, Target } from '../../../rules/ruleset/decide.js';
import { ruleOf } from '../../../rules/ruleset/rule.js';
import type { Evidence, Rule } from '../../../rules/ruleset/rule.js';
import { laterSteps, usersOfStep } from '../../../rules/step/later-steps.js';
import type { SimulatedStepDto } from './time-line.dto.js';

/** A rule over a channel of a later step, and when that step is taken if every message before is sent at once. */
interface LaterTarget extends Target {
  at: Date;
  /** Of a step that says whom it means: its number. */
  ofOthers: number | null;
}

/** The targets of all later steps. */
export function laterTargets(rules: Rule[], decisions: Decision[], at: Date): LaterTarget[] {
  return decisions.flatMap((decision) => {
    let time = at.getTime();
    const rule = ruleOf(rules, decision);
    return laterSteps(rule, decision).flatMap(({ number, channels, after, repeats }) => {
      time += after * Math.max(repeats, 1) * 1000;
      // The messages of a repetition are those of its step.
      if (repeats > 0) return [];
      const ofOthers = usersOfStep(rule, channels[0]!) ? number : null;
      const { notification } = decision;
      return channels.map((channel) => ({ notification, channel, at: new Date(time), ofOthers }));
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

/** Steps with their own users ask for the occurrence as a whole. */
const UNLESS_ANYONE: Record<Evidence, string> = {
  sent: 'unless it was sent to somebody by then',
  delivered: 'unless it was delivered to somebody by then',
  seen: 'unless somebody has seen it by then',
  read: 'unless somebody has read it by then',
  acknowledged: 'unless somebody has acknowledged it by then',
};

const notYet = (unless: Evidence, { acknowledge }: Pick<Rule, 'acknowledge'>) =>
  unless === 'acknowledged' && acknowledge?.by === 'each'
    ? 'those who have not acknowledged it by then'
    : NOT_YET[unless];

const usersIn = (people: number) => `${counted(people)} ${people === 1 ? 'user' : 'users'}`;

/** The steps of the notifications that have some, in the order of time. `peopleOf`: the users of a notification. */
export function timeLineOf(
  rules: Rule[],
  decisions: Decision[],
  at: Date,
  peopleOf: (notification: number, channels?: number[]) => number,
): SimulatedStepDto[] {
  const line = decisions.flatMap((decision) => {
    const rule = ruleOf(rules, decision);
    const steps = laterSteps(rule, decision);
    const slugs = (ids: number[]) => ids.map((id) => decision.channels.find(({ channel }) => channel === id)!.slug);
    const [next] = steps;
    if (!next) return [];
    const people = peopleOf(decision.notification);
    const users = usersIn(people);
    const entry = (number: number, time: number, channels: number[], to: string, more: object = {}) => ({
      ...{ notification: decision.name, step: number, repeat: 0, after: null, unless: null, ...more },
      at: new Date(time).toISOString(),
      channels: slugs(channels),
      sentence: ended(`${moment(new Date(time))}: ${listed(slugs(channels))}${to}`),
    });
    let time = at.getTime();
    const first = next.repeats > 0 ? next.number : next.number - 1;
    const open = decision.channels.filter(({ verdict }) => verdict === 'open').map(({ channel }) => channel);
    return [
      entry(first, time, open, ` to ${users}`),
      ...steps.flatMap(({ number, channels, after, unless, repeats, to: others }) =>
        Array.from({ length: Math.max(repeats, 1) }, (_, i) => {
          time += after * 1000;
          const [repeat, again] = repeats > 0 ? [i + 1, ` again (${i + 1} of ${repeats})`] : [0, ''];
          const own = usersOfStep(rule, channels[0]!) ? usersIn(peopleOf(decision.notification, channels)) : users;
          const to = others
            ? [own, ...(unless ? [UNLESS_ANYONE[unless]] : [])].join(', ')
            : unless
              ? notYet(unless, rule)
              : own;
          return entry(number, time, channels, `${again} to ${to}`, { repeat, after: durationText(after), unless });
        }),
      ),
    ];
  });
  return line.toSorted((a, b) => a.at.localeCompare(b.at));
}
