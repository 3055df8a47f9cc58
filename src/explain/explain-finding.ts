import { Gate } from '../generated/prisma/enums.js';
import type { Decision } from '../ruleset/decide.js';
import type { Rule } from '../ruleset/rule.js';
import type { Off } from '../ruleset/switch.sql.js';
import type { ListFacts, OccurrenceFacts, PersonGate, UserFacts } from './explain-facts.js';
import { listed, quoted } from './explain-sentence.js';
import type { Outcome } from './explain-sentence.js';

/** Of the whole, of a rule, of a channel, of a person. */
const OTHER_GATES = [
  ...(['no_user', 'no_rules', 'occurrence_failed'] as const),
  ...(['disabled', 'filtered', 'failed'] as const),
  ...(['gone', 'not_chosen'] as const),
  ...(['not_meant', 'other_channel', 'limited', 'came_later'] as const),
];

export const EXPLAINED_GATES = [...OTHER_GATES, ...Object.values(Gate)];
export type ExplainedGate = (typeof EXPLAINED_GATES)[number];

/** What became of one rule for one person over one channel, and what shows it. */
export interface Finding {
  outcome: Outcome;
  /** What decided against it. */
  gate: ExplainedGate | null;
  /** When it was sent, what it waits for, or what kept it: the end of a sentence. */
  why: string;
  /** What a sentence about this channel alone says beside. */
  detail: string;
  evidence: Record<string, unknown>;
  evaluated: 'stored' | 'now';
}

/** All that is known of one rule, one channel and one person. */
export interface Case {
  occurrence: OccurrenceFacts;
  rule: Rule;
  decision: Decision;
  user: UserFacts;
  /** Those of the rule. */
  lists: ListFacts[];
  /** The kind of address that the channel needs, if any. */
  addressKind: string | null;
  /** How the person would be judged now; none: they are not among the people. */
  judged: Judged | null;
  now: Date;
}

export interface Judged {
  gate: PersonGate | null;
}

export const found = (outcome: Outcome, why: string, more: Partial<Finding> = {}): Finding => ({
  outcome,
  gate: null,
  why,
  detail: '',
  evidence: {},
  evaluated: 'stored',
  ...more,
});

export const notSent = (gate: ExplainedGate, why: string, more: Partial<Finding> = {}): Finding =>
  found('not_sent', why, { ...more, gate });

/** What waits for a switch to be on again. */
export const paused = (kind: Off[0], evidence: Finding['evidence'] = {}): Finding =>
  found('waiting', `the ${kind} is switched off`, {
    evidence: { ...evidence, switched_off: kind },
    detail: '; it goes on when that is on again',
    evaluated: 'now',
  });

/** In the order in which they are judged: the first that holds decides. */
const PERSON_GATES: PersonGate[] = ['inactive', 'locked', 'no_address'];

/** What keeps a person from being sent anything, then or now. */
export function personGate(gate: PersonGate, when: 'then' | 'now', about: Case): Finding {
  const { lists, addressKind, judged } = about;
  const [be, have] = when === 'then' ? ['were', 'had'] : ['are', 'have'];
  const inLists = lists.filter(({ memberships }) => memberships.length > 0).map(({ name }) => name);
  const whys: Record<PersonGate, [why: string, evidence: Finding['evidence'], after: string]> = {
    inactive: [
      `they ${be} not active in ${quoted(inLists) || 'its lists'}`,
      { lists: inLists },
      '; they are active now',
    ],
    locked: [`they ${be} locked`, { locked: true }, '; they are not locked any more'],
    no_address: [`they ${have} no address of the kind ${addressKind}`, { address: addressKind }, '; they have one now'],
  };
  const [why, evidence, after] = whys[gate];
  if (when === 'now') return notSent(gate, why, { evidence, evaluated: 'now' });
  // A later gate, or none, says that this one would not hold any more.
  const isOver = judged !== null && judgedAt(judged) > PERSON_GATES.indexOf(gate);
  return notSent(gate, why, { evidence: { ...evidence, holds_now: !isOver }, detail: isOver ? after : '' });
}

const judgedAt = ({ gate }: Judged) => (gate === null ? PERSON_GATES.length : PERSON_GATES.indexOf(gate));

/** Whom a rule names: its lists and its audience. */
export function audienceOf({ rule, lists }: Case): { why: string; evidence: Finding['evidence'] } {
  const names = lists.map(({ name }) => name);
  const whys = [
    ...(rule.lists.length > 0 ? [`they are not in ${quoted(names) || 'its lists'}`] : []),
    ...(rule.audience ? ['its audience does not describe them'] : []),
  ];
  return { why: listed(whys) || 'it names nobody', evidence: { lists: names, audience: rule.audience ?? null } };
}
