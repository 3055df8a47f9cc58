import type { DeliveryStatus, Gate, OccurrenceStatus } from '../generated/prisma/enums.js';
import type { RuleChannel, Decision } from '../ruleset/decide.js';
import type { Rule } from '../ruleset/rule.js';
import type { Off } from '../ruleset/switch.sql.js';

/** An occurrence with what it pinned and what was decided, as an explanation reads it. */
export interface OccurrenceFacts {
  id: string;
  organizationId: number;
  status: OccurrenceStatus;
  context: Record<string, unknown>;
  options: { channels?: string[]; limit_to?: string[]; send_at?: string; expires_at?: string };
  /** None until it is expanded. */
  decisions: Decision[] | null;
  problem: string | null;
  expandedAt: Date | null;
  canceledAt: Date | null;
  rules: Rule[];
  channels: Record<string, RuleChannel> | null;
  /** What above it is switched off now, if anything. */
  off: Off | null;
  maxRecipients: number | null;
}

export interface UserFacts {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  createdAt: Date;
}

/** A list of a rule, and what the person is in it. */
export interface ListFacts {
  id: number;
  name: string;
  memberships: { active: boolean; channel: string | null }[];
}

/** What decides against a person when the people of a rule and channel are worked out. */
export type PersonGate = Extract<Gate, 'inactive' | 'locked' | 'no_address'>;

/** A delivery with its last attempt, and its channel as it stands now. */
export interface DeliveryFacts {
  id: string;
  notification: number;
  channel: number;
  /** None when the channel was deleted. */
  slug: string | null;
  type: string | null;
  enabled: boolean | null;
  /** Of its notification; none when that was deleted. */
  notificationEnabled: boolean | null;
  config: Record<string, unknown> | null;
  status: DeliveryStatus;
  gate: Gate | null;
  attempts: number;
  nextAttemptAt: Date | null;
  reason: string | null;
  fallbackOf: string | null;
  /** The last attempt, if any. */
  attempt: number | null;
  attemptAt: Date | null;
  answer: string | null;
  /** While its channel rests: since when it fails, and when it is tried again. */
  failingSince: Date | null;
  probeAt: Date | null;
}
