import { durationText, readDuration } from '../../../platform/field/duration.js';
import { refuseUnknown } from '../../../platform/field/error/closest.js';
import type { AddError } from '../../../platform/field/error/field-error.js';
import { isObject } from '../../../platform/field/is-object.js';
import { readRange } from '../../../platform/field/weekly-range.js';
import { ACKNOWLEDGED_BY, EVIDENCE } from '../../../rules/ruleset/rule.js';
import { MAX_FOR_SECONDS } from '../../../rules/step/lapse.js';
import { readStepTo } from './read-step-to.js';
import type { NamedStepTo } from './read-step-to.js';
import type { Evidence, RuleAcknowledge, RuleRepeat, RuleStep } from '../../../rules/ruleset/rule.js';

export const MIN_STEPS = 2;
export const MAX_STEPS = 10;
export const MAX_CHANNELS = 20;
export const MAX_AFTER_SECONDS = 30 * 86_400;
export const MIN_EVERY_SECONDS = 60;
export const MAX_TIMES = 50;

/** A step with slugs in place of the ids of its channels, and names in place of those of its lists. */
export interface NamedStep extends Omit<RuleStep, 'channels' | 'to'> {
  channels: string[];
  to?: NamedStepTo;
}

/** The steps as they are given. Undefined: unchanged; null: none. The result counts only without an error. */
export function readSteps(value: unknown, addError: AddError): NamedStep[] | null | undefined {
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value) || value.length < MIN_STEPS || value.length > MAX_STEPS) {
    const problem = `must be a list of ${MIN_STEPS} to ${MAX_STEPS} steps, or null for all channels at once`;
    addError('steps', Array.isArray(value) ? 'out_of_range' : 'invalid_type', problem);
    return null;
  }
  const seen = new Set<string>();
  return value.map((step, i) => readStep(step, i, seen, addError));
}

function readStep(step: unknown, i: number, seen: Set<string>, addError: AddError): NamedStep {
  const field = `steps[${i}]`;
  if (!isObject(step)) {
    addError(
      field,
      'invalid_type',
      'must be an object such as { "after": "10m", "unless": "read", "channels": ["mail"] }',
    );
    return { channels: [] };
  }
  refuseUnknown(step, ['channels', 'after', 'unless', 'repeat', 'to', 'window'], field, addError);
  const isOnce = step.repeat === undefined;
  return {
    channels: readChannels(step.channels, `${field}.channels`, seen, addError),
    ...readAfter(step.after, `${field}.after`, i === 0, addError),
    ...readUnless(step.unless, `${field}.unless`, i === 0 && isOnce, addError),
    ...(!isOnce && { repeat: readRepeat(step.repeat, `${field}.repeat`, addError) }),
    ...(step.window !== undefined && { window: readRange(step.window, `${field}.window`, addError) }),
    ...(step.to !== undefined && { to: readStepTo(step.to, `${field}.to`, i === 0, addError) }),
  };
}

function readRepeat(value: unknown, field: string, addError: AddError): RuleRepeat {
  if (!isObject(value)) {
    addError(field, 'invalid_type', 'must be an object such as { "every": "15m", "times": 4 }');
    return { every: 0, times: 0 };
  }
  refuseUnknown(value, ['every', 'times'], field, addError);
  const read = readDuration(value.every, MAX_AFTER_SECONDS);
  const every = 'seconds' in read ? read.seconds : 0;
  if ('problem' in read)
    addError(`${field}.every`, value.every === undefined ? 'required' : 'invalid_format', read.problem);
  else if (every < MIN_EVERY_SECONDS)
    addError(`${field}.every`, 'out_of_range', `must be at least ${durationText(MIN_EVERY_SECONDS)}`);
  const times = Number(value.times);
  if (!Number.isInteger(value.times) || times < 1 || times > MAX_TIMES)
    addError(
      `${field}.times`,
      value.times === undefined ? 'required' : 'out_of_range',
      `must be a whole number from 1 to ${MAX_TIMES}`,
    );
  return { every, times };
}

function readChannels(value: unknown, field: string, seen: Set<string>, addError: AddError): string[] {
  const isList = Array.isArray(value) && value.every((slug) => typeof slug === 'string');
  if (!isList || value.length === 0 || value.length > MAX_CHANNELS) {
    addError(field, 'invalid_type', `must be a list of 1 to ${MAX_CHANNELS} slugs of channels`);
    return [];
  }
  for (const slug of value) {
    if (seen.has(slug)) addError(field, 'duplicate', `names ${slug} again: a channel belongs to one step`);
    seen.add(slug);
  }
  return value;
}

const FIRST = 'must be left out of the first step, which is taken at once';
const FIRST_ONCE = `${FIRST}, unless it has repeat`;

function readAfter(value: unknown, field: string, isFirst: boolean, addError: AddError): { after?: number } {
  if (isFirst) {
    if (value !== undefined) addError(field, 'not_allowed', FIRST);
    return {};
  }
  const read = readDuration(value, MAX_AFTER_SECONDS);
  if ('seconds' in read) return { after: read.seconds };
  addError(field, value === undefined ? 'required' : 'invalid_format', read.problem);
  return {};
}

function readUnless(value: unknown, field: string, isTakenOnce: boolean, addError: AddError): { unless?: Evidence } {
  if (value === undefined) return {};
  if (isTakenOnce) addError(field, 'not_allowed', FIRST_ONCE);
  else if (!EVIDENCE.includes(value as never))
    addError(field, 'unknown_value', `must be one of ${EVIDENCE.join(', ')}`);
  return { unless: value as Evidence };
}

/** A step as files and responses write it: times are `10m`, not a number of seconds. */
export const stepText = <Channels>({
  to,
  channels,
  after,
  unless,
  repeat,
  window,
}: Omit<NamedStep, 'channels'> & { channels: Channels }) => ({
  channels,
  ...(after !== undefined && { after: durationText(after) }),
  ...(unless !== undefined && { unless }),
  ...(to !== undefined && { to }),
  ...(window !== undefined && { window }),
  ...(repeat !== undefined && { repeat: { every: durationText(repeat.every), times: repeat.times } }),
});

/** Whose acknowledgement ends the steps, as it is given. Undefined: unchanged; null: anyone's. The result counts only without an error. */
export function readAcknowledge(value: unknown, addError: AddError): RuleAcknowledge | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) {
    addError('acknowledge', 'invalid_type', 'must be an object such as { "by": "anyone", "for": "4h" }');
    return null;
  }
  refuseUnknown(value, ['by', 'for'], 'acknowledge', addError);
  const { for: length } = value;
  const by = value.by ?? (length === undefined ? undefined : 'anyone');
  if (by === undefined) addError('acknowledge.by', 'required', BY);
  else if (!ACKNOWLEDGED_BY.includes(by as never)) addError('acknowledge.by', 'unknown_value', BY);
  return { by: by as RuleAcknowledge['by'], ...readFor(length, addError) };
}

function readFor(value: unknown, addError: AddError): { for?: string } {
  if (value === undefined) return {};
  const read = readDuration(value, MAX_FOR_SECONDS);
  if ('problem' in read) addError('acknowledge.for', 'invalid_format', read.problem);
  else if (read.seconds < MIN_EVERY_SECONDS)
    addError('acknowledge.for', 'out_of_range', `must be at least ${durationText(MIN_EVERY_SECONDS)}`);
  else return { for: durationText(read.seconds) };
  return {};
}

const BY = `must be one of ${ACKNOWLEDGED_BY.join(', ')}`;

/** An acknowledgement ends nothing without steps, and a step for other users asks for the occurrence as a whole. */
export function checkAcknowledge(acknowledge: unknown, steps: unknown, addError: AddError): void {
  const hasOthers = Array.isArray(steps) && steps.some((step) => isObject(step) && step.to !== undefined);
  if (hasOthers && isObject(acknowledge) && acknowledge.by === 'each')
    addError(
      'acknowledge.by',
      'conflict',
      'must be anyone: a step has `to`, whose users are told about the occurrence as a whole',
    );
  if (acknowledge && !steps) addError('acknowledge', 'conflict', 'needs steps: add some, or set it to null');
}
