import { AR } from './texts/ar.js';
import { DE } from './texts/de.js';
import { EN } from './texts/en.js';
import { ES } from './texts/es.js';
import { FR } from './texts/fr.js';
import { IT } from './texts/it.js';
import { JA } from './texts/ja.js';
import { NL } from './texts/nl.js';
import { PL } from './texts/pl.js';
import { PT } from './texts/pt.js';
import type { TextName } from './texts/en.js';

export type { TextName };

/** The languages of the pages for recipients. */
export const allTexts = { en: EN, de: DE, it: IT, fr: FR, es: ES, pt: PT, nl: NL, pl: PL, ja: JA, ar: AR };

export type Language = keyof typeof allTexts;
export const LANGUAGES = Object.keys(allTexts) as Language[];

/** The language of a locale, if there are texts in it: German for `de-AT`. */
export const languageOf = (locale: string | null): Language | undefined =>
  LANGUAGES.find((language) => language === locale?.toLowerCase().split('-')[0]);

/** Texts of an organization that replace ours, by language and name. They are plain texts. */
export type PageTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Say = (name: TextName, values?: Record<string, string>) => string;

/** The texts of a language, or of the organization in that language. */
export const speak =
  (language: Language, own: PageTexts | null = null): Say =>
  (name, values = {}) =>
    (own?.[language]?.[name] ?? allTexts[language][name]).replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
