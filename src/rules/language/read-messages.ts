import { MAX_NAMED, addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { PLURAL_FORMS } from './messages.js';
import type { Messages, MessageText } from './messages.js';

const MAX_LANGUAGES = 50;
/** Of one language. */
const MAX_MESSAGES = 2_000;
const MAX_LENGTH = 2_000;
const MAX_DEPTH = 8;
/** Of a project, as JSON. */
const MAX_BYTES = 1024 * 1024;

const KEY = /^[A-Za-z0-9_-]{1,100}$/;

/** An object does not keep the one; with the other, a language of a file is the name of its own file. */
const RESERVED = ['__proto__', 'file'];

/** Reads messages with nested keys, `{ de: { order: { paid: 'Bezahlt' } } }`, as `{ de: { 'order.paid': 'Bezahlt' } }`. */
export function readMessages(given: unknown): { messages: Messages } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  const isFull = () => Object.keys(errors).length >= MAX_NAMED;
  const read: Record<string, Record<string, MessageText>> = {};
  if (!isObject(given)) addError('messages', 'invalid_type', 'must be an object');
  const languages = isObject(given) ? Object.entries(given) : [];
  if (languages.length > MAX_LANGUAGES)
    addError('messages', 'too_many', `must have at most ${MAX_LANGUAGES} languages`);
  for (const [tag, texts] of languages.slice(0, MAX_LANGUAGES)) {
    if (isFull()) break;
    const field = `messages.${tag}`;
    const language = readLocale(tag);
    if ('problem' in language) addError(field, 'invalid_format', language.problem);
    else if (Object.hasOwn(read, language.locale))
      addError(field, 'duplicate', `is another spelling of ${language.locale}`);
    else if (!isObject(texts)) addError(field, 'invalid_type', 'must be an object of messages');
    else {
      const found = (read[language.locale] = {});
      addTexts(texts, [], { field, found, addError, isFull });
      const count = Object.keys(found).length;
      if (count > MAX_MESSAGES)
        addError(field, 'too_many', `has ${count} messages, and at most ${MAX_MESSAGES} are allowed`);
    }
  }
  if (!hasErrors(errors) && Buffer.byteLength(JSON.stringify(read)) > MAX_BYTES)
    addError('messages', 'too_large', `must take at most ${MAX_BYTES / 1024} KB`);
  return hasErrors(errors) ? { errors } : { messages: read };
}

interface Reading {
  field: string;
  found: Record<string, MessageText>;
  addError: AddError;
  /** Whether there are as many errors as an answer names. */
  isFull: () => boolean;
}

function addTexts(texts: Record<string, unknown>, path: string[], reading: Reading): void {
  const { field, found, addError, isFull } = reading;
  for (const [name, value] of Object.entries(texts)) {
    if (isFull()) return;
    const steps = [...path, ...name.split('.')];
    const key = steps.join('.');
    const at = `${field}.${key}`;
    if (!steps.every((step) => KEY.test(step)) || steps.length > MAX_DEPTH)
      addError(
        at,
        'invalid_format',
        `must be at most ${MAX_DEPTH} names of letters, digits, - and _, with dots between them`,
      );
    else if (RESERVED.includes(key) && (typeof value === 'string' || isPlural(value)))
      addError(at, 'not_allowed', 'is a reserved name: use another one');
    else if (Object.hasOwn(found, key)) addError(at, 'duplicate', 'is there twice');
    else if (typeof value === 'string') addText(value, at, addError, () => (found[key] = value));
    else if (isPlural(value)) {
      for (const [form, text] of Object.entries(value)) addText(text, `${at}.${form}`, addError);
      found[key] = value as MessageText;
    } else if (isObject(value)) addTexts(value, steps, reading);
    else addError(at, 'invalid_type', 'must be a text, an object of plural forms, or an object of messages');
  }
}

function addText(text: unknown, at: string, addError: AddError, add?: () => void): void {
  if (typeof text !== 'string') addError(at, 'invalid_type', 'must be a text');
  else if (text.length > MAX_LENGTH) addError(at, 'too_long', `must have at most ${MAX_LENGTH} characters`);
  else if (text.includes('\0')) addError(at, 'invalid_format', 'must not contain NUL');
  else add?.();
}

/** An object whose names are all plural forms, `other` among them. */
const isPlural = (value: unknown): value is Record<string, unknown> =>
  isObject(value) &&
  Object.hasOwn(value, 'other') &&
  Object.keys(value).every((form) => (PLURAL_FORMS as readonly string[]).includes(form));
