import { createHash } from 'node:crypto';
import type { TextParts, TranslatedParts } from '../template/template.js';

type Translations = NonNullable<TranslatedParts['translations']>;

/** For each text of each translation: a digest of the text that it translates. */
export type TranslatedFrom = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A text that is not translated, or whose original has changed since. */
export interface TranslationGap {
  language: string;
  /** The name of the text: `subject`, `text`, `html` or `markdown`. */
  part: string;
  /** What to write into `of` of the language if the text still fits; null: there is no text. */
  of: string | null;
  /** As `translations.de.subject`. */
  field: string;
  sentence: string;
}

const PARTS = ['subject', 'text', 'body'] as const;
type Part = (typeof PARTS)[number];

/** `html`, `markdown` and `mjml` are one part. */
const sourceOf = (texts: TextParts, part: Part): string =>
  (part === 'body' ? texts.html || texts.markdown || texts.mjml : texts[part]) || '';

const nameOf = (texts: TextParts, part: Part): string =>
  part !== 'body' ? part : texts.mjml ? 'mjml' : texts.markdown ? 'markdown' : 'html';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A digest of all texts of a template. In `of`, it says that a translation fits the template as it is now. */
export const digestOfTexts = (base: TextParts): string =>
  digest(JSON.stringify(PARTS.map((part) => sourceOf(base, part))));

/** A digest of each text. A template may have 50 languages: it is made once for all of them. */
const digestsOf = (base: TextParts) =>
  Object.fromEntries(PARTS.map((part) => [part, digest(sourceOf(base, part))])) as Record<Part, string>;

/** The translations as they were written before, and what they were made from. */
interface Before {
  translations: Translations;
  from: TranslatedFrom;
}

/**
 * What each text of the translations was made from. A text that is new or changed was made from the template as it is now, and so was that of a
 * language which says so (`of`); others keep what they have.
 */
export function translatedFrom(
  base: TextParts,
  translations: Translations,
  before: Before | null,
  of: Readonly<Record<string, string>>,
): TranslatedFrom {
  const now = digestOfTexts(base);
  const originals = digestsOf(base);
  const entries = Object.entries(translations).map(([language, texts]) => {
    const old = before?.translations[language];
    const digests = PARTS.flatMap((part): [string, string][] => {
      const source = sourceOf(texts, part);
      if (!source) return [];
      const isKept = old && sourceOf(old, part) === source && of[language] !== now;
      const kept = isKept ? before?.from[language]?.[part] : undefined;
      return [[part, kept ?? originals[part]]];
    });
    return [language, Object.fromEntries(digests)] as const;
  });
  return Object.fromEntries(entries);
}

/** The texts of a template that a language lacks, and those whose original has changed. */
export function translationGaps(base: TextParts, translations: Translations, from: TranslatedFrom): TranslationGap[] {
  const now = digestOfTexts(base);
  const originals = digestsOf(base);
  return Object.entries(translations).flatMap(([language, texts]) =>
    PARTS.flatMap((part): TranslationGap[] => {
      const [original, source] = [sourceOf(base, part), sourceOf(texts, part)];
      const known = from[language]?.[part];
      const isMissing = original && !source;
      if (!isMissing && (!source || known === undefined || known === originals[part])) return [];
      const name = nameOf(isMissing ? base : texts, part);
      const of = isMissing ? null : now;
      const sentence = of === null ? NOT_TRANSLATED : outdated(language, of);
      return [{ language, part: name, of, field: `translations.${language}.${name}`, sentence }];
    }),
  );
}

export const NOT_TRANSLATED = 'is not translated: the text of the next language in line is sent';

const outdated = (language: string, now: string) =>
  `is outdated: the text that it translates has changed. Change it, or set translations.${language}.of to ${now} if it still fits`;

/** Whether a warning is about a translation. */
export const isAboutTranslation = (warning: string): boolean => /: is (not translated|outdated): /.test(warning);
