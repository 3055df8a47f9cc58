import { NOT_AN_EMAIL, emailKey, isEmailAddress } from '../../platform/field/email.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';

export const MAX_RECIPIENTS = 10_000;
const MAX_NAMED_ERRORS = 20;

/** Distinct e-mails, each in its first spelling. Sorted, so that concurrent calls lock rows in the same order. */
export interface Recipients {
  emails: string[];
  keys: string[];
}

/** Reads the body of "add recipients". One bad e-mail refuses the whole body. */
export function readRecipients(body: unknown): Recipients {
  if (!Array.isArray(body)) throw invalidField('body', 'invalid_type', 'must be a JSON array of e-mail addresses');
  if (body.length > MAX_RECIPIENTS)
    throw invalidField('body', 'too_many', `must hold at most ${MAX_RECIPIENTS} e-mail addresses`);
  const errors: FieldErrors = {};
  const byKey = new Map<string, string>();
  for (const [index, item] of body.entries()) {
    const email: unknown = typeof item === 'string' ? item.trim() : item;
    if (!isEmailAddress(email)) errors[`[${index}]`] = [fieldError('invalid_format', NOT_AN_EMAIL)];
    else if (!byKey.has(emailKey(email))) byKey.set(emailKey(email), email);
    if (Object.keys(errors).length >= MAX_NAMED_ERRORS) break;
  }
  if (hasErrors(errors)) throw invalid(errors);
  const keys = [...byKey.keys()].sort();
  return { keys, emails: keys.map((key) => byKey.get(key)!) };
}
