import { isObject } from '../is-object.js';

/** The reason, in one sentence, why a rule could not be applied. */
export class RuleError extends Error {
  override name = 'RuleError';
}

/** The expression costs more than it may. */
export class TooManySteps extends RuleError {}

/** About 10 ms of work, at worst 50 ms. A filter over 5,000 items takes 40,000 steps. */
const WHEN_MAX_STEPS = 100_000;

/** Limits the cost of one evaluation. Each operation spends its own steps; a step is roughly 50 ns. */
export class StepBudget {
  #left: number;

  constructor(steps = WHEN_MAX_STEPS) {
    this.#left = steps;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps('The expression takes too many steps on this context.');
  }
}

export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** JMESPath truth: false, null, and the empty string, array and object are false; zero is true. */
export function isFalse(value: unknown, budget: StepBudget): boolean {
  if (value === null || value === undefined || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  const size = Object.keys(value).length;
  budget.spend(size);
  return size === 0;
}

export function isEqual(left: unknown, right: unknown, budget: StepBudget): boolean {
  budget.spend(1);
  if (left === right) return true;
  if (typeof left === 'string') budget.spend(left.length / 100);
  if (Array.isArray(left)) {
    const same = Array.isArray(right) && left.length === right.length;
    return same && left.every((item, index) => isEqual(item, right[index], budget));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  const size = Object.keys(right).length;
  budget.spend(keys.length + size);
  const isSameIn = (key: string): boolean => Object.hasOwn(right, key) && isEqual(left[key], right[key], budget);
  return keys.length === size && keys.every(isSameIn);
}
