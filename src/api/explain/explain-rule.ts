import { namesIn } from '../../platform/field/expression/when.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { isChosenRule } from '../../rules/ruleset/decide.js';
import type { RuleChannel, Decision } from '../../rules/ruleset/decide.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { OccurrenceFacts } from './explain-facts.js';
import { MAX_NAMES, notSent } from './explain-finding.js';
import type { Finding } from './explain-finding.js';
import { clipped, listed } from './explain-sentence.js';

/** The longest value of the context, as JSON, that is shown as evidence. */
const MAX_VALUE = 1000;
const MAX_VALUE_IN_SENTENCE = 60;

type Decided = Pick<OccurrenceFacts, 'context' | 'options' | 'decisions'>;

/** The finding for a rule that applies to nobody; null when it applies. */
export function ofRule({ verdict }: Decision, rule: Rule, occurrence: Decided): Finding | null {
  const evaluated = evaluatedOf(occurrence);
  const { notifications } = occurrence.options;
  if (notifications && !isChosenRule(rule, notifications)) {
    const why = `the event was replayed for ${listed(notifications.map((name) => `"${name}"`))} only`;
    return notSent('not_chosen', why, { evidence: { notifications: notifications.slice(0, MAX_NAMES) }, evaluated });
  }
  if (verdict === 'disabled')
    return notSent('disabled', 'the notification was switched off', { evidence: { enabled: false }, evaluated });
  if (verdict !== 'filtered') return null;
  const evidence = whenEvidence(rule, occurrence.context);
  const values = Object.entries(evidence.values)
    .map(([name, value]) => `${name} = ${clipped(JSON.stringify(value), MAX_VALUE_IN_SENTENCE)}`)
    .join(', ');
  const why = `the condition "${evidence.when ?? ''}" was false${values && ` with ${values}`}`;
  return notSent('filtered', why, { evidence, evaluated });
}

/** The finding for a channel that is not used for anyone; null when it is used. */
export function ofChannel(
  { channel, verdict }: Decision['channels'][number],
  state: RuleChannel | undefined,
  occurrence: Decided,
): Finding | null {
  const evaluated = evaluatedOf(occurrence);
  const { channels: chosen = [] } = occurrence.options;
  if (verdict === 'gone') return notSent('gone', 'the channel was deleted', { evidence: { channel }, evaluated });
  if (verdict === 'not_chosen') {
    return notSent('not_chosen', `the trigger chose only ${listed(chosen)}`, {
      evidence: { channels: chosen },
      evaluated,
    });
  }
  if (verdict === 'limited') {
    return notSent('limited', 'the trigger was limited to some users, and the channel posts to a room', {
      evidence: limitEvidence(occurrence.options),
      evaluated,
    });
  }
  if (verdict !== 'disabled') return null;
  return notSent('channel_disabled', `the channel ${evaluated === 'now' ? 'is' : 'was'} switched off`, {
    evidence: { enabled_now: state?.enabled ?? false },
    detail: state?.enabled ? '; it is switched on now' : '',
    evaluated,
  });
}

export const limitEvidence = ({ limit_to: names = [] }: TriggerOptions) => ({
  limit_to: names.slice(0, MAX_NAMES),
  people: names.length,
});

const evaluatedOf = ({ decisions }: Decided) => (decisions === null ? 'now' : 'stored');

/** The condition of a rule, and the values of the context that it uses. */
export function whenEvidence({ when }: Rule, context: Record<string, unknown>) {
  const names = when === null ? [] : readableNames(when);
  const values = names.map((name) => [name, shown(Object.hasOwn(context, name) ? context[name] : null)] as const);
  return { when, values: Object.fromEntries(values) };
}

/** Empty for a condition that cannot be parsed any more. */
function readableNames(when: string): string[] {
  try {
    return namesIn(when);
  } catch {
    return [];
  }
}

function shown(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : value;
}
