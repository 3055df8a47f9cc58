import { consoleBundle } from './console-bundle.js';

type Text = string | ((...values: unknown[]) => string);
export interface Texts {
  [name: string]: Text | Texts;
}

export const { en, de, languageOf } = consoleBundle('text/en.ts', 'text/de.ts', 'text/language.ts') as {
  en: Texts;
  de: Texts;
  languageOf(chosen: string | null, wanted: readonly string[]): string;
};

/** Every text with its place, such as `pages.now`. */
export function* textsIn(texts: Texts, place = ''): Generator<[string, Text]> {
  for (const [name, text] of Object.entries(texts)) {
    const at = place + name;
    if (typeof text === 'object') yield* textsIn(text, `${at}.`);
    else yield [at, text];
  }
}

/** Values that a text may be made of. Each leaves a word that can be found in the sentence. */
const VALUES = [
  'Ahorn',
  17,
  ['Birke'],
  new Date('2026-01-01T12:23:00'),
  [{ language: 'Esche', state: 'missing' }],
  { time: 'Ulme', minute: 'Linde', day: 'Eibe', added: 31, existing: 32, created_users: 33 },
];
const WORDS = /Ahorn|\b17\b|Birke|\b23\b|Esche|Ulme|Linde|Eibe|\b3[123]\b/g;

export const wordsIn = (sentence: string) => [...sentence.matchAll(WORDS)].map(([word]) => word);

/** The sentence of a text, and the values that it was made of: the first that the text understands. */
export function sentenceOf(text: Text): { sentence: string; values: unknown[] } {
  if (typeof text === 'string') return { sentence: text, values: [] };
  const choices = Array.from({ length: text.length }).reduce<unknown[][]>(
    (some) => some.flatMap((values) => VALUES.map((value) => [...values, value])),
    [[]],
  );
  for (const values of choices) {
    try {
      const sentence = text(...values);
      if (!/undefined|NaN|\[object|^$/.test(sentence)) return { sentence, values };
    } catch {
      // A value of another type.
    }
  }
  throw new Error(`no value fits ${text.toString()}`);
}
