import { unknownField } from '../../platform/field/error/closest.js';
import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { TEXT_PARTS } from '../../rules/template/template.js';
import type { TextParts, TranslatedParts } from '../../rules/template/template.js';

/** More languages than any product has. Each of them is parsed when it is written. */
const MAX_LANGUAGES = 50;

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
  if (hasErrors(errors)) return { errors };
  return { translations: entries.length > 0 ? read : null, of };
}

function readTexts(texts: unknown, field: string, addError: ReturnType<typeof addTo>): TextParts {
  if (!isObject(texts)) {
    addError(field, 'invalid_type', 'must be an object');
    return {};
  }
  for (const [part, text] of Object.entries(texts)) {
    if (!(TEXT_PARTS as readonly string[]).includes(part))
      addError(`${field}.${part}`, 'unknown_field', unknownField(part, [...TEXT_PARTS, 'of']).sentence);
    else if (text !== null && typeof text !== 'string')
      addError(`${field}.${part}`, 'invalid_type', 'must be a string or null');
  }
  const set = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '');
  if (set.length === 0) addError(field, 'required', `needs one of ${TEXT_PARTS.join(', ')}`);
  return Object.fromEntries(set);
}
