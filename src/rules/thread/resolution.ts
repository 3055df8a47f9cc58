import { createHash } from 'node:crypto';
import { textIn } from '../ruleset/choices.js';
import type { Rule } from '../ruleset/rule.js';

/** The trigger that ended the steps of a notification of an occurrence. */
export interface Resolution {
  notification: number;
  /** The occurrence of the trigger. */
  occurrence: string;
  at: Date;
}

/** The thread of steps, as it is looked up. */
interface StepThread {
  notification: number;
  /** In hexadecimal digits. */
  value: string;
  field: string;
}

/** A value may be as long as a context. */
export const hashOfValue = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Null: no trigger can end the steps of the rule, because it has none, or no thread, or the context says nothing. */
export function stepThreadOf(
  { id, thread, steps }: Pick<Rule, 'id' | 'thread' | 'steps'>,
  context: unknown,
): StepThread | null {
  if (thread === undefined || !steps) return null;
  const value = textIn(context, thread);
  return value === '' ? null : { notification: id, value: hashOfValue(value), field: thread };
}

/** The parameters of LOAD_RESOLUTIONS; null: nothing to load. */
export function resolutionValues(
  occurrence: string,
  rules: Pick<Rule, 'id' | 'thread' | 'steps'>[],
  context: unknown,
): unknown[] | null {
  const threads = rules.flatMap((rule) => stepThreadOf(rule, context) ?? []);
  if (threads.length === 0) return null;
  return [
    occurrence,
    threads.map(({ notification }) => notification),
    threads.map(({ value }) => value),
    threads.map(({ field }) => field),
  ];
}
