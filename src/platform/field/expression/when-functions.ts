import { isObject } from '../is-object.js';
import { RuleError, isEqual, nameOf } from './when-value.js';
import type { StepBudget } from './when-value.js';

type Accepts = (value: unknown) => boolean;

interface WhenFunction {
  takes: readonly Accepts[];
  /** The last argument may repeat. */
  variadic?: boolean;
  apply(args: unknown[], budget: StepBudget): unknown;
}

const any: Accepts = () => true;
const string: Accepts = (value) => typeof value === 'string';
const number: Accepts = (value) => typeof value === 'number';
const array: Accepts = (value) => Array.isArray(value);
const object: Accepts = isObject;
const either =
  (...kinds: Accepts[]): Accepts =>
  (value) =>
    kinds.some((kind) => kind(value));

/**
 * The functions of JMESPath that a condition needs. Left out are functions that take an expression (`map`, `sort_by`: a
 * projection does the same) and functions that build large texts (`pad_left`, `replace`, `join`).
 */
export const whenFunctions: ReadonlyMap<string, WhenFunction> = new Map<string, WhenFunction>([
  ['abs', { takes: [number], apply: ([value]) => Math.abs(value as number) }],
  ['avg', { takes: [array], apply: ([list], budget) => average(numbers(list, budget)) }],
  ['ceil', { takes: [number], apply: ([value]) => Math.ceil(value as number) }],
  [
    'contains',
    { takes: [either(string, array), any], apply: ([where, what], budget) => contains(where, what, budget) },
  ],
  [
    'ends_with',
    {
      takes: [string, string],
      apply: ([text, end], budget) => (text as string).endsWith(compared(end as string, budget)),
    },
  ],
  ['floor', { takes: [number], apply: ([value]) => Math.floor(value as number) }],
  ['keys', { takes: [object], apply: ([value], budget) => paid(Object.keys(value as object), budget) }],
  ['length', { takes: [either(string, array, object)], apply: ([value], budget) => length(value, budget) }],
  ['lower', { takes: [string], apply: ([text], budget) => charged(text as string, budget).toLowerCase() }],
  ['max', { takes: [array], apply: ([list], budget) => extreme(list as unknown[], budget, (a, b) => a > b) }],
  ['min', { takes: [array], apply: ([list], budget) => extreme(list as unknown[], budget, (a, b) => a < b) }],
  ['not_null', { takes: [any], variadic: true, apply: (args) => args.find((value) => value !== null) ?? null }],
  [
    'starts_with',
    {
      takes: [string, string],
      apply: ([text, start], budget) => (text as string).startsWith(compared(start as string, budget)),
    },
  ],
  ['sum', { takes: [array], apply: ([list], budget) => total(numbers(list, budget)) }],
  ['to_array', { takes: [any], apply: ([value]) => (Array.isArray(value) ? value : [value]) }],
  ['to_number', { takes: [any], apply: ([value]) => toNumber(value) }],
  ['type', { takes: [any], apply: ([value]) => nameOf(value) }],
  ['upper', { takes: [string], apply: ([text], budget) => charged(text as string, budget).toUpperCase() }],
  ['values', { takes: [object], apply: ([value], budget) => paid(Object.values(value as object), budget) }],
]);

function paid(list: unknown[], budget: StepBudget): unknown[] {
  budget.spend(list.length);
  return list;
}

// Changing case costs 1 to 8 ns per character, most for text outside ASCII.
function charged(text: string, budget: StepBudget): string {
  budget.spend(text.length / 5);
  return text;
}

// A comparison costs up to 5 us for 100 KB.
function compared(text: string, budget: StepBudget): string {
  budget.spend(text.length / 100);
  return text;
}

function contains(where: unknown, what: unknown, budget: StepBudget): boolean {
  if (Array.isArray(where)) return where.some((item) => isEqual(item, what, budget));
  const text = where as string;
  if (typeof what !== 'string') return false;
  // Text search is quadratic at worst: searching 128 KB for 64 KB of one letter with another in the middle took 1.7 s.
  budget.spend((text.length * Math.max(what.length, 1)) / 100);
  return text.includes(what);
}

/** Characters as JMESPath counts them: code points, not UTF-16 units. */
function length(value: unknown, budget: StepBudget): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') return paid(Object.keys(value as object), budget).length;
  budget.spend(value.length);
  return [...value].length;
}

function numbers(list: unknown, budget: StepBudget): number[] {
  return paid(list as unknown[], budget).map((item) => {
    if (typeof item !== 'number') throw new RuleError(`A list of numbers holds ${nameOf(item)}.`);
    return item;
  });
}

const total = (list: number[]): number => list.reduce((sum, item) => sum + item, 0);
const average = (list: number[]): number | null => (list.length === 0 ? null : total(list) / list.length);

function extreme(list: unknown[], budget: StepBudget, better: (a: string, b: string) => boolean): unknown {
  budget.spend(list.length);
  const kind = nameOf(list[0]);
  let best: unknown = list[0] ?? null;
  for (const item of list) {
    if (nameOf(item) !== kind || (kind !== 'number' && kind !== 'string')) {
      throw new RuleError('max() and min() need numbers only or strings only.');
    }
    // JavaScript compares numbers and strings with the same operator; both values have the same type here.
    if (better(item as string, best as string)) best = item;
  }
  return best;
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const converted = Number(value);
  return Number.isFinite(converted) ? converted : null;
}
