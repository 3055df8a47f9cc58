import { text } from '../../../text/text';
import type { RuleDigest, RuleLimit, RuleWindow } from '../parts';

const words = text.rule.waiting;

const daysOf = (days: RuleWindow['days']) => days?.map((day) => text.days[day]).join(', ') ?? words.everyDay;

const lines = (...said: (string | false | undefined)[]) => said.filter(Boolean).join('\n');

const keyLine = (key: string | undefined) => key !== undefined && `${words.key} ${key}`;

export const sayWindow = ({ days, from, to }: RuleWindow) =>
  lines(daysOf(days), `${words.from} ${from} ${words.to} ${to}`);

export const sayLimit = ({ count, per, then = 'drop', key }: RuleLimit) =>
  lines(
    `${words.count}: ${count ?? '?'}`,
    `${words.per} ${words.pers[per]}`,
    `${words.then} ${words.thens[then]}`,
    keyLine(key),
  );

export const sayDigest = ({ window, schedule, sliding, first = 'wait', max_items: most, key }: RuleDigest) =>
  lines(
    schedule ? `${daysOf(schedule.days)} ${words.at} ${schedule.at}` : `${words.wait}: ${window ?? '?'}`,
    sliding && words.sliding,
    `${words.first} ${words.firsts[first]}`,
    most !== undefined && `${words.most}: ${most}`,
    keyLine(key),
  );
