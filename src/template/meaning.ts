import { EACH, MAX_STEPS, SOME } from '../condition/use.js';
import type { Path, Use } from '../condition/use.js';

/** What a name in a template stands for: a place in what it is given, or something that was made of such places. */
export type Meaning =
  { path: Path; /** Some of its items are left out. */ some?: boolean } | { madeOf: readonly Use[] };

export const NOTHING: Meaning = { madeOf: [] };

export function usesOf(meaning: Meaning): readonly Use[] {
  return 'path' in meaning ? [{ path: meaning.path, needed: true }] : meaning.madeOf;
}

export function stepInto(meaning: Meaning, step: string | number): Meaning {
  if (!('path' in meaning)) return meaning;
  if (meaning.path.length === MAX_STEPS) return NOTHING;
  return { path: [...meaning.path, typeof step === 'number' ? SOME : step] };
}

/** Somewhere in it, or something that Liquid works out of it. */
export function blurred(meaning: Meaning): Meaning {
  return { madeOf: usesOf(meaning) };
}

/** The item of a loop. */
export function itemOf(list: Meaning, isLimited: boolean): Meaning {
  if (!('path' in list) || list.path.length === MAX_STEPS) return NOTHING;
  return { path: [...list.path, list.some || isLimited ? SOME : EACH] };
}

/** A name that alternatives gave different meanings may have any of them, and none is needed. */
export function anyOf(meanings: Meaning[]): Meaning {
  return { madeOf: meanings.flatMap(usesOf).map(({ path }) => ({ path, needed: false })) };
}
