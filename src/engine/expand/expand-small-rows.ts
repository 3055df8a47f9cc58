import type { StoredConfig } from '../../dispatcher/channel-config.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { RecipientSettings } from '../../rules/ruleset/choices.js';
import type { Digest, Named, MessageRecipient } from '../../rules/ruleset/message.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { StatusWebhook } from '../report/status-webhook.js';
import type { SharedRow } from '../deliver/chunk.js';
import type { CircuitState } from '../deliver/circuit.js';
import type { FreshTarget } from '../deliver/send-fresh.js';

/** The row that loads a batch; it is JSON, which has no dates. */
export interface BatchRow {
  occurrences: BatchOccurrence[];
  events: BatchEvent[];
  channels: BatchChannel[];
}

export interface BatchOccurrence {
  id: string;
  organizationId: number;
  eventId: number;
  /** Null if the event had no rules. */
  rulesetId: number | null;
  context: Record<string, unknown>;
  options: TriggerOptions;
  createdAt: string;
  /** Of an occurrence that carries a digest: the digest, and where its only delivery goes. */
  digest?: Digest;
  target?: { notification: number; channel: number };
}

export interface BatchEvent {
  id: number;
  event: Named;
  application: Named;
  project: Named;
  organization: Named;
  recipients: RecipientSettings;
  /** The first of project, application and event that is off. */
  off: Off | null;
  /** The notifications that are off now; a ruleset knows those that were off at the trigger. */
  offNotifications: number[];
  /** If an occurrence reaches more users than this, somebody must approve it. */
  ceiling: number | null;
  statusWebhook: StatusWebhook | null;
}

export interface BatchChannel extends CircuitState {
  id: number;
  organizationId: number;
  projectId: number | null;
  slug: string;
  name: string;
  type: string;
  enabled: boolean;
  config: StoredConfig;
  fallback: SharedRow['fallback'];
}

/** A delivery that was just made, with its user. */
export interface MadeRow extends MessageRecipient {
  occurrence: string;
  notification: number;
  channel: number;
}

/** A rule and a channel of an occurrence with deliveries that are not due yet. */
export interface WaitingRow {
  occurrence: string;
  notification: number;
  channel: number;
  id: null;
}

/** An occurrence that was expanded; `id` is null if it has no delivery that is due. */
export type ExpandedRow = MadeRow | WaitingRow | { occurrence: string; id: null; notification: null };

/** The messages to send now, and the notifications and channels whose messages wait. */
export interface Expanded {
  targets: FreshTarget[];
  waiting: WaitingRow[];
}
