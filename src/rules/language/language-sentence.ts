import { rangesOf } from './lookup.js';
import type { UsedLanguage } from './used-language.js';

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** `in German, because the locale of the user is de-AT and there is no de-AT translation`. */
export function languageSentence({ language, locale, by }: UsedLanguage): string {
  const name = language && (NAMES.of(language) ?? language);
  const written = name === null ? 'in the language of the template itself' : `in ${name}`;
  if (by === null) return `${written}, because neither the user nor the organization has a locale`;
  const because = `${written}, because the locale of the ${by} is ${locale}`;
  if (language === locale) return because;
  const ranges = rangesOf(locale);
  const isNear = language !== null && ranges.includes(language);
  const lacking = isNear ? ranges.slice(0, ranges.indexOf(language)) : ranges;
  const missing = `there is no ${lacking.join(' or ')} translation`;
  if (isNear) return `${because} and ${missing}`;
  if (name !== null) return `${because}, ${missing}, and the next language in line is ${name}`;
  return `${because} and ${missing}`;
}
