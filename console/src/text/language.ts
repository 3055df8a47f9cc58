/** The languages of the console, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };
export type Language = keyof typeof LANGUAGES;

const KEY = 'carillon-language';
/** How each language writes dates and numbers. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

export let language: Language = 'en';
export let locale = LOCALES.en;

const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(LANGUAGES, name);

/** What the reader has chosen, otherwise the first language of the browser that there is, otherwise English. */
export function languageOf(chosen: string | null, wanted: readonly string[]): Language {
  return [chosen, ...wanted.map((tag) => tag.split('-')[0]!.toLowerCase())].find(isLanguage) ?? 'en';
}

/** Called once, before any page is there. */
export function decideLanguage(): Language {
  language = languageOf(localStorage.getItem(KEY), navigator.languages);
  locale = LOCALES[language];
  document.documentElement.lang = language;
  return language;
}

/** Begins anew in another language: texts are read when files are loaded, and so cannot change later. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}
