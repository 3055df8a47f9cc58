import type { en } from './en';
import type { Language } from './language';

/** The same names and functions, with other words. */
type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { [Name in keyof T]: Translated<T[Name]> };

/** Every text of the console. A language is a file like en.ts, and a line here and in language.ts. */
export type Texts = Translated<typeof en>;

/** There before the first page is: main.ts waits for `loadTexts`. */
export let text: Texts;

const FILES: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
};

/** Loads the texts of one language only. */
export async function loadTexts(language: Language): Promise<void> {
  text = await FILES[language]();
}
