import { refuseUnknown, suggest } from '../../platform/field/error/closest.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { LANGUAGES } from './texts.js';
import type { PageTexts } from './texts.js';
import { EN } from './texts/en.js';
import { OF_INBOX } from './texts/inbox.js';

/** There are some 80 texts in ten languages: this bounds them all together. */
const MAX_LENGTH = 500;

const PLACEHOLDER = /\{(\w+)\}/g;
const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);

/** A link that does not work shows the same page whatever its organization is, so nobody can replace its texts. */
const NEVER_SHOWN: readonly string[] = ['gone_title', 'gone'] satisfies (keyof typeof EN)[];

/** The values that each text may show, by its name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(EN)
      .filter(([name]) => !NEVER_SHOWN.includes(name))
      .map(([name, text]) => [name, placeholdersIn(text)]),
  ),
  ...OF_INBOX,
};
const NAMES = Object.keys(VALUES);

/** Texts of an organization for the pages of its recipients and for the inbox element. Null: none. */
export function pageTextsOf(value: unknown, addError: AddError): PageTexts | null {
  if (!isObject(value)) {
    addError('page_texts', 'invalid_type', 'must be an object such as { "de": { "save": "Sichern" } }');
    return null;
  }
  refuseUnknown(value, LANGUAGES, 'page_texts', addError);
  const read = Object.entries(value)
    .filter(([language]) => LANGUAGES.some((known) => known === language))
    .map(([language, texts]) => [language, textsOf(texts, `page_texts.${language}`, addError)] as const)
    .filter(([, texts]) => Object.keys(texts).length > 0);
  return read.length > 0 ? Object.fromEntries(read) : null;
}

function textsOf(value: unknown, field: string, addError: AddError): Record<string, string> {
  if (!isObject(value)) {
    addError(field, 'invalid_type', 'must be an object such as { "save": "Save" }');
    return {};
  }
  refuseUnknown(value, NAMES, field, addError);
  const texts: Record<string, string> = {};
  for (const name of NAMES) {
    const text = value[name];
    if (text === undefined) continue;
    const problem = problemOf(text, VALUES[name]!);
    if (problem) addError(`${field}.${name}`, 'invalid_format', problem);
    else texts[name] = (text as string).trim();
  }
  return texts;
}

function problemOf(text: unknown, known: readonly string[]): string | null {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_LENGTH || /\p{Cc}/u.test(text))
    return `must be one line of 1 to ${MAX_LENGTH} characters`;
  const wrong = placeholdersIn(text).find((name) => !known.includes(name));
  return wrong === undefined ? null : `has no value for {${wrong}}${suggest(wrong, [...known])}`;
}
