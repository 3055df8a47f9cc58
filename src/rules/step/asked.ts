import type { Rule } from '../ruleset/rule.js';
import { stepThreadOf } from '../thread/resolution.js';
import { lapseOf } from './lapse.js';
import { asksToAcknowledge } from './later-steps.js';

/** What a message in an inbox keeps of a notification that asks to be acknowledged. Stored as JSON: its names stay. */
export interface Asked {
  /** Each user acknowledges for themselves. */
  each?: true;
  /** The seconds after which an acknowledgement lapses. */
  seconds?: number;
  /** The thread that may be resolved: its value in hexadecimal digits, and its field. */
  value?: string;
  field?: string;
}

/** Left out: the notification does not ask for it. */
export function askedOf(rule: Rule | undefined, context: unknown): Asked | undefined {
  if (!rule || !asksToAcknowledge(rule)) return undefined;
  const seconds = lapseOf(rule);
  const thread = stepThreadOf(rule, context);
  return {
    ...(rule.acknowledge?.by === 'each' && { each: true }),
    ...(seconds !== null && { seconds }),
    ...(thread && { value: thread.value, field: thread.field }),
  };
}
