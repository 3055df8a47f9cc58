import { EACH, MAX_STEPS, SOME } from '../../platform/field/expression/use.js';
import type { Path, Use } from '../../platform/field/expression/use.js';

/** The meaning of a name in a template: a place in the context, or a value computed from such places. */
export type Meaning =
  | { path: Path; /** Some items of the list are left out. */ some?: boolean }
  | { madeOf: readonly Use[] };

export const NOTHING: Meaning = { madeOf: [] };

export function usesOf(meaning: Meaning): readonly Use[] {
  return 'path' in meaning ? [{ path: meaning.path, needed: true }] : meaning.madeOf;
}

export function stepInto(meaning: Meaning, step: string | number): Meaning {
  if (!('path' in meaning)) return meaning;
  if (meaning.path.length === MAX_STEPS) return NOTHING;
  return { path: [...meaning.path, typeof step === 'number' ? SOME : step] };
}

/** An unknown place inside the value, or a value that Liquid computes from it. */
export function somewhereIn(meaning: Meaning): Meaning {
  return { madeOf: usesOf(meaning) };
}

/** The meaning of a loop's variable. */
export function itemOf(list: Meaning, isLimited: boolean): Meaning {
  if (!('path' in list) || list.path.length === MAX_STEPS) return NOTHING;
  return { path: [...list.path, list.some || isLimited ? SOME : EACH] };
}

/** The meaning of a name that has a different meaning in each alternative. None of them is needed. */
export function anyOf(meanings: Meaning[]): Meaning {
  return { madeOf: meanings.flatMap(usesOf).map(({ path }) => ({ path, needed: false })) };
}
