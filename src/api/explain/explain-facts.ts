import type {
  DeliveryStatus,
  Gate,
  OccurrenceStatus,
  ReportState,
  WaitsFor,
} from '../../platform/database/generated/prisma/enums.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { UsedLanguage } from '../../rules/language/used-language.js';
import type { RuleChannel, Decision } from '../../rules/ruleset/decide.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { RecipientSettings } from '../../rules/ruleset/choices.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { DeviceResult } from '../../rules/device/device-result.js';
import type { ExplainedSchedule } from './explain-sentence.js';

/** An occurrence with its pinned rules and its decisions. */
export interface OccurrenceFacts {
  id: string;
  organizationId: number;
  eventId: number;
  status: OccurrenceStatus;
  context: Record<string, unknown>;
  options: TriggerOptions;
  /** Null until the occurrence is expanded. */
  decisions: Decision[] | null;
  problem: string | null;
  expandedAt: Date | null;
  canceledAt: Date | null;
  rules: Rule[];
  channels: Record<string, RuleChannel> | null;
  /** The first of its event and the event's parents that is switched off now, if any. */
  off: Off | null;
  schedule: ExplainedSchedule | null;
  recipients: RecipientSettings;
  maxRecipients: number | null;
  /** The notifications whose later steps may still send something. */
  openSteps: number[] | null;
}

export interface UserFacts {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  timeZone: string | null;
  createdAt: Date;
}

/** A list of a rule, and the user's memberships in it. */
export interface ListFacts {
  id: number;
  name: string;
  memberships: { active: boolean; channel: string | null }[];
}

/** The gates that can keep a user back when recipients are resolved. The first that applies decides. */
export const USER_GATES = [
  'inactive',
  'locked',
  'no_address',
  'suppressed',
  'opted_out',
  'muted',
] as const satisfies Gate[];
export type UserGate = (typeof USER_GATES)[number];

/** When a digest is sent that is still open, and what it waits for after it is closed. */
export interface DigestTime {
  sentAt: Date;
  /** The same on the clock of the user: `2030-01-01 09:00`. */
  sentLocal: string;
  waitsFor: 'quiet' | 'window' | null;
  zone: string;
}

export interface AcknowledgementFacts {
  /** The e-mail. */
  user: string;
  at: Date;
  way: string;
  isOwn: boolean;
}

/** A delivery with its last attempt, and its channel as of now. */
export interface DeliveryFacts {
  id: string;
  notification: number;
  channel: number;
  /** Null when the channel was deleted. */
  slug: string | null;
  type: string | null;
  enabled: boolean | null;
  /** Null when the notification was deleted. */
  notificationEnabled: boolean | null;
  config: Record<string, unknown> | null;
  /** Whether it is a post to a room, and not a message to the user. */
  isRoom: boolean;
  status: DeliveryStatus;
  gate: Gate | null;
  /** What the gate found when it stopped the delivery. */
  evidence: Record<string, unknown> | null;
  attempts: number;
  addressId: number | null;
  nextAttemptAt: Date | null;
  reason: string | null;
  fallbackOf: string | null;
  /** How often its step was taken again for the user. Left out: that is not asked for. */
  repetition?: number;
  /** The number of the last attempt, if any. */
  attempt: number | null;
  attemptAt: Date | null;
  answer: string | null;
  /** Of a message whose template has translations; null or left out: it has none, or nothing was sent. */
  language?: UsedLanguage | null;
  /** What became of it on the devices of the user. Null or left out: it did not go to devices, or that is not asked for. */
  devices?: DeviceResult[] | null;
  /** What the provider reported later; null: nothing. */
  report: ReportState | null;
  reportAt: Date | null;
  reportDetail: string | null;
  /** When it was created or last retried. */
  since: Date;
  /** Its message in the inbox; null: there is none. Times as text. */
  inbox: { at: string; seenAt: string | null; readAt: string | null } | null;
  /** While the circuit of the channel is open: when the failures began, and when the channel is tried again. */
  failingSince: Date | null;
  probeAt: Date | null;
  waitsFor: WaitsFor | null;
  /** When the quiet hours end or the window opens; null for what an earlier release has stored. */
  waitsUntil: Date | null;
  /** Of the open digest that gathers it. */
  digestDueAt: Date | null;
  digestItems: number | null;
  /** How often it is sent, if it gathers a category; left out or null: it gathers a notification. */
  digestFrequency?: string | null;
  /** When that digest is sent; left out where the clock of the user is not known. */
  digestTime?: DigestTime | null;
  /** The delivery of the digest that carried it. */
  carrier: { id: string; occurrence: string; items: number } | null;
}
