import type { Decision } from '../../rules/ruleset/decide.js';
import type { OccurrenceFacts, UserFacts } from './explain-facts.js';
import type { ExplainedChannelDto, ExplainedUserDto, ExplainedRuleDto } from './explain.dto.js';
import type { ExplainedGate, Finding } from './explain-finding.js';
import { OUTCOMES, nameOf, sentenceFor, withSchedule } from './explain-sentence.js';
import type { ChannelClause, ExplainedOutcome, RuleClause } from './explain-sentence.js';

/** The finding for one channel of a rule, or for its fallback. */
export interface ExploredChannel {
  /** Null when the channel was deleted. */
  channel: string | null;
  delivery: number | null;
  /** Of its channel; null: the notification has no steps, or it is a fallback. */
  step: number | null;
  /** For a fallback: the channel that had given up before. */
  inPlaceOf: string | null;
  finding: Finding;
}

export interface ExploredRule {
  decision: Decision;
  channels: ExploredChannel[];
}

/** The answer for a user when there is no rule to explain. */
export function answerWithoutRules(
  occurrence: OccurrenceFacts,
  user: string,
  gate: ExplainedGate,
  sentence: string,
): ExplainedUserDto {
  const { schedule } = occurrence;
  return { user, outcome: 'not_sent', gate, sentence: withSchedule(sentence, occurrence), schedule, rules: [] };
}

export function explainedUser(occurrence: OccurrenceFacts, user: UserFacts, rules: ExploredRule[]): ExplainedUserDto {
  const name = nameOf(user);
  const findings = rules.flatMap(({ channels }) => channels.map(({ finding }) => finding));
  const gates = new Set(findings.map(({ gate }) => gate));
  return {
    user: user.email,
    outcome: outcomeOf(findings),
    // Only a gate that decided for every channel.
    gate: gates.size === 1 ? [...gates][0]! : null,
    sentence: withSchedule(sentenceFor(name, rules.map(ruleClause)), occurrence),
    schedule: occurrence.schedule,
    rules: rules.map((rule) => explainedRule(name, rule)),
  };
}

/** The best outcome of all. */
function outcomeOf(findings: Finding[]): ExplainedOutcome {
  return OUTCOMES.find((outcome) => findings.some((finding) => finding.outcome === outcome)) ?? 'not_sent';
}

function explainedRule(user: string, rule: ExploredRule): ExplainedRuleDto {
  const { name: notification, verdict } = rule.decision;
  return {
    notification,
    verdict,
    sentence: sentenceFor(user, [ruleClause(rule)]),
    channels: rule.channels.map((channel) => explainedChannel(user, notification, channel)),
  };
}

export function explainedChannel(user: string, notification: string, explored: ExploredChannel): ExplainedChannelDto {
  const { channel, delivery, step, inPlaceOf, finding } = explored;
  const { outcome, gate, why, detail, evidence, evaluated } = finding;
  const clause = { ...channelClause(explored), why: why + detail };
  return {
    channel,
    outcome,
    gate,
    sentence: sentenceFor(user, [{ notification, channels: [clause] }]),
    evidence: inPlaceOf === null ? evidence : { ...evidence, in_place_of: inPlaceOf },
    delivery,
    step,
    evaluated,
  };
}

const ruleClause = ({ decision, channels }: ExploredRule): RuleClause => ({
  notification: decision.name,
  channels: channels.map(channelClause),
});

function channelClause({ channel, inPlaceOf, finding: { outcome, why } }: ExploredChannel): ChannelClause {
  const name = channel ?? 'a deleted channel';
  return { channel: inPlaceOf === null ? name : `${name} in place of ${inPlaceOf}`, outcome, why };
}
