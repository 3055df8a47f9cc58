import { Gate } from '../../platform/database/generated/prisma/enums.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import { namesOf } from '../../rules/ruleset/named.js';
import type { Rule, RuleTo } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import { mutedThread, optedOut, suppressed } from './explain-choice.js';
import type { ChoiceFacts } from './explain-choice.js';
import { USER_GATES } from './explain-facts.js';
import type { ListFacts, OccurrenceFacts, UserGate, UserFacts } from './explain-facts.js';
import { anyOf, listed } from './explain-sentence.js';
import type { ExplainedOutcome } from './explain-sentence.js';

/** The gates that are not stored with a delivery. One line each: of the whole occurrence, of a rule, of a channel, of a user. */
const OTHER_GATES = [
  ...(['no_user', 'no_rules', 'occurrence_failed'] as const),
  ...(['disabled', 'filtered', 'failed'] as const),
  ...(['gone', 'not_chosen', 'room'] as const),
  ...(['not_meant', 'other_channel', 'limited', 'came_later', 'step_ended'] as const),
];

export const EXPLAINED_GATES = [...OTHER_GATES, ...Object.values(Gate)];
export type ExplainedGate = (typeof EXPLAINED_GATES)[number];

/** Whether a finding comes from stored rows, or from the pinned rules applied now. */
export const EVALUATED = ['stored', 'now'] as const;
export type Evaluated = (typeof EVALUATED)[number];

/** The outcome of one rule for one user over one channel, with evidence. */
export interface Finding {
  outcome: ExplainedOutcome;
  /** The gate that kept the message back, if any. */
  gate: ExplainedGate | null;
  /** The end of a sentence: when it was sent, what it waits for, or why it was not sent. */
  why: string;
  /** Added to a sentence that is about this channel alone. */
  detail: string;
  evidence: Record<string, unknown>;
  evaluated: Evaluated;
}

/** All facts about one rule, one channel and one user. */
export interface Case {
  occurrence: OccurrenceFacts;
  rule: Rule;
  decision: Decision;
  user: UserFacts;
  /** The lists of the rule. */
  lists: ListFacts[];
  /** The kind of address that the channel needs, if any. */
  addressKind: string | null;
  /** Whether the channel is switched off now. */
  isOff: boolean;
  /** The gate for the user now; null: the user is not a recipient of the rule. */
  judged: Judged | null;
  chosen: ChoiceFacts;
  now: Date;
}

export interface Judged {
  gate: UserGate | null;
}

export const found = (outcome: ExplainedOutcome, why: string, more: Partial<Finding> = {}): Finding => ({
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

/** The finding for a message that waits until something is switched on. */
export const paused = (kind: Off[0], evidence: Finding['evidence'] = {}): Finding =>
  found('waiting', `the ${kind} is switched off`, {
    evidence: { ...evidence, switched_off: kind },
    detail: '; sending resumes when it is switched on',
    evaluated: 'now',
  });

/** The finding for a gate that keeps the user back: as it was stored, or as it is now. */
export function userGate(gate: UserGate, evaluated: Evaluated, about: Case): Finding {
  const { lists, addressKind, judged } = about;
  const [be, have] = evaluated === 'stored' ? ['was', 'had'] : ['is', 'has'];
  const inLists = lists.filter(({ memberships }) => memberships.length > 0).map(({ name }) => name);
  const whys: Record<UserGate, [why: string, evidence: Finding['evidence'], after: string]> = {
    inactive: [
      `the user ${be} not active in ${anyOf(inLists) || 'the lists of the notification'}`,
      { lists: inLists },
      '; the user is active now',
    ],
    locked: [`the user ${be} locked`, { locked: true }, '; the user is not locked any more'],
    no_address: [`the user ${have} no "${addressKind}" address`, { address: addressKind }, '; the user has one now'],
    suppressed: suppressed(about),
    opted_out: optedOut(about),
    muted: mutedThread(about),
  };
  const [why, evidence, after] = whys[gate];
  if (evaluated === 'now') return notSent(gate, why, { evidence, evaluated });
  // Gates are checked in order. If a later gate stops the user now, or none does, this gate no longer stops them.
  const isOver = judged !== null && indexOfGate(judged) > USER_GATES.indexOf(gate);
  return notSent(gate, why, { evidence: { ...evidence, holds_now: !isOver }, detail: isOver ? after : '' });
}

const indexOfGate = ({ gate }: Judged) => (gate === null ? USER_GATES.length : USER_GATES.indexOf(gate));

/** Why the user is not a recipient of the rule: whom it names, or its lists and its audience. */
export function audienceOf(about: Case): { why: string; evidence: Finding['evidence'] } {
  const { rule, lists } = about;
  if (rule.to) return notNamed(rule.to, about);
  const names = lists.map(({ name }) => name);
  const whys = [
    ...(rule.lists.length > 0 ? [`is not in ${anyOf(names) || 'the lists of the notification'}`] : []),
    ...(rule.audience ? ['does not match the audience'] : []),
  ];
  return {
    why: whys.length > 0 ? `the user ${listed(whys)}` : 'the notification has no recipients',
    evidence: { lists: names, audience: rule.audience ?? null },
  };
}

/** The number of users that are shown as evidence. */
export const MAX_NAMES = 20;

const NOT_NAMED = {
  recipients: 'the user is not among the recipients of the trigger',
  told: 'the user had no message about what the trigger resolves',
};

function notNamed(to: RuleTo, { occurrence: { context, options } }: Case) {
  const names = namesOf({ to }, context, { recipients: options.recipients, told: options.told }) ?? [];
  const why = typeof to === 'object' ? `"${to.context}" of the context does not name the user` : NOT_NAMED[to];
  return { why, evidence: { to, recipients: names.slice(0, MAX_NAMES), people: names.length } };
}
