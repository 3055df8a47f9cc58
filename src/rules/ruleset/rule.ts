import type { MessageLimit } from '../../platform/field/message-limit.js';
import type { WeeklyRange } from '../../platform/field/weekly-range.js';
import type { TranslatedParts } from '../template/template.js';

export type { MessageLimit, WeeklyRange };

/**
 * Whom a rule means: the recipients of the trigger, those who were told before of the threads that the trigger resolves, or the usernames that a JMESPath
 * expression finds in the context.
 */
export type RuleTo = 'recipients' | 'told' | { context: string };

/** A notification with its templates, as a ruleset keeps it. */
export interface Rule {
  id: number;
  name: string;
  enabled: boolean;
  when: string | null;
  audience: unknown;
  /** Ids of distribution lists. */
  lists: number[];
  /** Left out: its lists and its audience. */
  to?: RuleTo;
  templates: RuleTemplate[];
  /** The times at which it may be sent, by the recipient's clock; left out: always. */
  window?: WeeklyRange;
  /** How its messages to a user are gathered into one; left out: they are not. */
  digest?: DigestRule;
  /** The most messages for a user; left out: no limit. */
  limit?: RuleLimit;
  /** At least two, each with channels of its own; left out: all channels at once. */
  steps?: RuleStep[];
  /** Left out: one acknowledgement ends the steps for all users. */
  acknowledge?: RuleAcknowledge;

  /** A field of the context, such as `order.id`: messages with the same value are about one thing. Left out: they are not grouped. */
  thread?: string;
}

export interface RuleLimit extends MessageLimit {
  /** A field of the context: each of its values has a limit of its own. */
  key?: string;
  /** What becomes of the messages above it. */
  then: 'drop' | 'digest';
}

/** Either a window or a schedule. */
export interface DigestRule {
  /** It is sent so many seconds after its first item. */
  window?: number;
  /** It is sent at this time of these days, by the recipient's clock. */
  schedule?: { days: WeeklyRange['days']; at: string };
  /** A field of the context, such as `order.id`: each of its values has a digest of its own. */
  key?: string;
  /** It is sent as soon as it has so many items. */
  max_items: number;
  /** Whether the first message is sent at once, and only those that follow are gathered. */
  first: 'now' | 'wait';
  /** Whether each item starts the window anew. */
  sliding?: boolean;
}

/** What is known of a message, from the least to the most. More includes less. */
export const EVIDENCE = ['sent', 'delivered', 'seen', 'read', 'acknowledged'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** Whose acknowledgement ends the steps for a user. */
export const ACKNOWLEDGED_BY = ['anyone', 'each'] as const;

export interface RuleAcknowledge {
  by: (typeof ACKNOWLEDGED_BY)[number];
  /** A duration such as `4h`, after which an acknowledgement lapses; left out: it never does. */
  for?: string;
}

/** A step that is taken again until its evidence is there. */
export interface RuleRepeat {
  /** Seconds after its message. */
  every: number;
  /** How often at most, besides the first time. */
  times: number;
}

/** Whom a step means, instead of the users of the step before. */
export interface RuleStepTo {
  /** Ids of distribution lists. */
  lists: number[];
  /** Left out: only the lists. */
  audience?: Record<string, unknown>;
}

/** A step of a rule. The first one has no time, and evidence only if it is repeated. */
export interface RuleStep {
  /** Ids of channels that the rule has templates for. */
  channels: number[];
  /** Seconds after the message of the step before. */
  after?: number;
  /** The evidence that ends the steps for a user; left out: none does. */
  unless?: Evidence;
  /** Left out: it is taken once. */
  repeat?: RuleRepeat;
  /** Left out: the users of the step before. */
  to?: RuleStepTo;
  /** The times at which it may be sent, by the recipient's clock; left out: those of the rule. */
  window?: WeeklyRange;
}

export interface RuleTemplate {
  channel: number;
  parts: TranslatedParts;
  /** One post to the room that the channel is; left out: one message for each user. */
  per?: 'room';
}

/** The user id of a delivery that is a post to a room. No user has it. */
export const ROOM = 0;

/** The rule of a decision or a target: both come from the same ruleset. */
export const ruleOf = (rules: Rule[], { notification }: { notification: number }): Rule =>
  rules.find(({ id }) => id === notification)!;

/** Whether a target is one post to the room that its channel is, and not one message for each user. */
export const isRoomPost = (rules: Rule[], target: { notification: number; channel: number }): boolean =>
  rules
    .find(({ id }) => id === target.notification)
    ?.templates.some(({ channel, per }) => channel === target.channel && per === 'room') ?? false;
