import type { Decision } from '../ruleset/decide.js';
import type { UserFacts } from './explain-facts.js';
import type { ExplainedGate, Finding } from './explain-finding.js';
import { ended, nameOf, sentenceFor } from './explain-sentence.js';
import type { Outcome, Told } from './explain-sentence.js';

export interface ExplainedPerson {
  user: string;
  outcome: Outcome;
  gate: ExplainedGate | null;
  sentence: string;
  rules: ExplainedRule[];
}

export interface ExplainedRule {
  notification: string;
  verdict: Decision['verdict'];
  sentence: string;
  channels: ExplainedChannel[];
}

export interface ExplainedChannel {
  channel: string | null;
  outcome: Outcome;
  gate: ExplainedGate | null;
  sentence: string;
  evidence: Record<string, unknown>;
  delivery: number | null;
  evaluated: 'stored' | 'now';
}

/** What was found out about one channel of a rule, or about one that stood in for it. */
export interface Way {
  /** None when it was deleted. */
  channel: string | null;
  delivery: number | null;
  /** The channel that had given up before. */
  inPlaceOf: string | null;
  finding: Finding;
}

export interface ExploredRule {
  decision: Decision;
  ways: Way[];
}

/** The answer for a person to whom no rule applies at all. */
export function nothingFor(user: string, gate: ExplainedGate, sentence: string): ExplainedPerson {
  return { user, outcome: 'not_sent', gate, sentence: ended(sentence), rules: [] };
}

export function explainedPerson(user: UserFacts, rules: ExploredRule[]): ExplainedPerson {
  const person = nameOf(user);
  const findings = rules.flatMap(({ ways }) => ways.map(({ finding }) => finding));
  const gates = new Set(findings.map(({ gate }) => gate));
  return {
    user: user.email,
    outcome: outcomeOf(findings),
    // One that decided everywhere.
    gate: gates.size === 1 ? [...gates][0]! : null,
    sentence: sentenceFor(person, rules.map(toldRule)),
    rules: rules.map((rule) => explainedRule(person, rule)),
  };
}

const BEST_FIRST: Outcome[] = ['sent', 'waiting', 'dead'];

/** The best that came of any of them. */
function outcomeOf(findings: Finding[]): Outcome {
  return BEST_FIRST.find((outcome) => findings.some((finding) => finding.outcome === outcome)) ?? 'not_sent';
}

function explainedRule(person: string, rule: ExploredRule): ExplainedRule {
  const { name: notification, verdict } = rule.decision;
  return {
    notification,
    verdict,
    sentence: sentenceFor(person, [toldRule(rule)]),
    channels: rule.ways.map((way) => explainedChannel(person, notification, way)),
  };
}

function explainedChannel(person: string, notification: string, way: Way): ExplainedChannel {
  const { channel, delivery, inPlaceOf, finding } = way;
  const { outcome, gate, why, detail, evidence, evaluated } = finding;
  const told = { ...toldWay(way), why: why + detail };
  return {
    channel,
    outcome,
    gate,
    sentence: sentenceFor(person, [{ notification, channels: [told] }]),
    evidence: inPlaceOf === null ? evidence : { ...evidence, in_place_of: inPlaceOf },
    delivery,
    evaluated,
  };
}

const toldRule = ({ decision, ways }: ExploredRule) => ({ notification: decision.name, channels: ways.map(toldWay) });

function toldWay({ channel, inPlaceOf, finding: { outcome, why } }: Way): Told {
  const name = channel ?? 'a deleted channel';
  return { channel: inPlaceOf === null ? name : `${name} in place of ${inPlaceOf}`, outcome, why };
}
