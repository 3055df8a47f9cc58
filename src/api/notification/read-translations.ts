import { refuseUnknown } from '../../platform/field/error/closest.js';
import { MAX_NAMED, addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { TEXT_PARTS } from '../../rules/template/template.js';
import type { TextParts, TranslatedParts } from '../../rules/template/template.js';

/** More languages than any product has. Each of them is parsed when it is written. */
const MAX_LANGUAGES = 50;

/** In characters, of all languages together: a trigger pins them, and every check parses them. */
const MAX_LENGTH = 256 * 1024;

type Translations = NonNullable<TranslatedParts['translations']>;

interface ReadTranslations {
  translations: Translations | null;
  /** The digest of the template that a language says it fits. */
  of: Record<string, string>;
}

/** The translations of a template by canonical language tag, without parts that are not set; null: none. From HTTP and from files. */
export function readTranslations(given: unknown): ReadTranslations | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  const read: Record<string, TextParts> = {};
  const of: Record<string, string> = {};
  if (given === null || given === undefined) return { translations: null, of };
  if (!isObject(given)) addError('translations', 'invalid_type', 'must be an object or null');
  const entries = isObject(given) ? Object.entries(given) : [];
  if (entries.length > MAX_LANGUAGES)
    addError('translations', 'too_many', `must have at most ${MAX_LANGUAGES} languages`);
  for (const [tag, texts] of entries.slice(0, MAX_LANGUAGES)) {
    if (Object.keys(errors).length >= MAX_NAMED) break;
    const field = `translations.${tag}`;
    const language = readLocale(tag);
    if ('problem' in language) addError(field, 'invalid_format', language.problem);
    else if (/-[a-z0-9]-/i.test(tag)) addError(field, 'invalid_format', 'must have no extensions: use de or pt-BR');
    else if (Object.hasOwn(read, language.locale))
      addError(field, 'duplicate', `is another spelling of ${language.locale}`);
    else {
      const { of: fits, ...parts } = isObject(texts) ? texts : { of: null };
      read[language.locale] = readTexts(isObject(texts) ? parts : texts, field, addError);
      if (typeof fits === 'string') of[language.locale] = fits;
      else if (fits !== null && fits !== undefined) addError(`${field}.of`, 'invalid_type', 'must be a string or null');
    }
  }
  if (lengthOf(read) > MAX_LENGTH)
    addError('translations', 'too_large', `must have at most ${MAX_LENGTH} characters in all languages together`);
  if (hasErrors(errors)) return { errors };
  return { translations: entries.length > 0 ? read : null, of };
}

const lengthOf = (translations: Translations): number =>
  Object.values(translations)
    .flatMap((texts) => Object.values(texts))
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);

function readTexts(texts: unknown, field: string, addError: ReturnType<typeof addTo>): TextParts {
  if (!isObject(texts)) {
    addError(field, 'invalid_type', 'must be an object');
    return {};
  }
  refuseUnknown(texts, [...TEXT_PARTS, 'of'], field, addError);
  for (const part of TEXT_PARTS)
    if (Object.hasOwn(texts, part) && texts[part] !== null && typeof texts[part] !== 'string')
      addError(`${field}.${part}`, 'invalid_type', 'must be a string or null');
  const set = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '');
  if (set.length === 0) addError(field, 'required', `needs one of ${TEXT_PARTS.join(', ')}`);
  return Object.fromEntries(set);
}
