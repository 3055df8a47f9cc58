import type { OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { RecipientSettings } from '../../rules/ruleset/choices.js';
import type { Decision, RuleChannel } from '../../rules/ruleset/decide.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { LaterStep } from '../../rules/step/later-steps.js';

export interface StepsRow {
  id: string;
  organizationId: number;
  eventId: number;
  status: OccurrenceStatus;
  /** When all users of the first step were resolved. */
  expandedAt: Date;
  context: unknown;
  options: TriggerOptions;
  decisions: Decision[] | null;
  rules: Rule[] | null;
  channels: Record<string, RuleChannel> | null;
  recipients: RecipientSettings;
  /** The first switch above the notification, or its own, that is off. */
  off: Off | null;
}

/** The rule whose steps are taken, and what they need. */
export interface Steps {
  occurrence: StepsRow;
  rule: Rule;
  later: LaterStep[];
  channels: Map<number, RuleChannel>;
}
