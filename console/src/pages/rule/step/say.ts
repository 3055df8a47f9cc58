import { text } from '../../../text/text';
import { sayAudience } from '../audience/say';
import type { ChannelName, RuleAcknowledge, RuleStep, RuleStepTo } from '../parts';
import { sayWindow } from '../waiting/say';

const words = text.rule.steps.said;

const toText = ({ distribution_lists: lists, audience }: RuleStepTo) =>
  [...lists, ...(audience ? [text.rule.audience] : [])].join(', ');

/** `Mail after 10m, unless it was read in the inbox`. */
export const sayStep = ({ channels, after, unless, repeat, to }: RuleStep, nameOf: ChannelName) =>
  [
    [channels.map(nameOf).join(', '), to && words.to(toText(to)), after && words.after(after)]
      .filter(Boolean)
      .join(' '),
    unless && words.unless(text.rule.steps.evidence[unless]),
    repeat && words.again(repeat.every, repeat.times),
  ]
    .filter(Boolean)
    .join(', ');

/** The same, with all of its audience and its window: to compare. */
export const sayWholeStep = (step: RuleStep, nameOf: ChannelName) =>
  [
    sayStep(step, nameOf),
    ...(step.to?.audience ? [sayAudience(step.to.audience)] : []),
    ...(step.window ? [sayWindow(step.window)] : []),
  ].join('\n');

/** `anyone, it lapses after 4h`. */
export const sayAcknowledge = ({ by, for: after }: RuleAcknowledge) =>
  `${text.rule.acknowledge.by[by]}${after ? `, ${text.rule.acknowledge.lapsesIn(after)}` : ''}`;
