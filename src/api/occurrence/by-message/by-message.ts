import { Gate, ReportState } from '../../../platform/database/generated/prisma/enums.js';
import { anyText, oneOf } from '../../../platform/http/list/filter.js';

export const OUTCOMES = ['sent', 'failed', 'waiting', 'skipped'] as const;

/** As the figures name them: gates, what was reported, and why a message was given up. */
export const REASONS = [
  ...Object.values(Gate),
  ...Object.values(ReportState).filter((state) => state !== ReportState.delayed),
  ...['rejected', 'given_up', 'other'],
];

/** Of occurrences, by what became of their messages. */
export const MESSAGE_FILTER = {
  outcome: oneOf(OUTCOMES),
  reason: oneOf(REASONS),
  channel: anyText,
  domain: anyText,
};
