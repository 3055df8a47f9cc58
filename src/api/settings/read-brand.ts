import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import type { Brand } from '../../rules/template/layout/shared.js';

export const MAX_ADDRESS = 300;
export const MAX_LINKS = 10;
const MAX_LABEL = 60;
const MAX_URL = 1000;

/** One line of text. */
export function addressOf(value: unknown, addError: AddError): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const isLine = typeof value === 'string' && text.length <= MAX_ADDRESS && !/\p{Cc}/u.test(text);
  if (!isLine) addError('address', 'invalid_format', `must be one line of at most ${MAX_ADDRESS} characters`);
  return text || null;
}

export function linksOf(value: unknown, addError: AddError): NonNullable<Brand['links']> | null {
  if (!Array.isArray(value) || value.length > MAX_LINKS) {
    addError('links', 'invalid_type', `must be a list of at most ${MAX_LINKS} links`);
    return null;
  }
  const links = value.map((each, i) => linkOf(each, `links[${i}]`, addError));
  return links.length > 0 ? links : null;
}

function linkOf(value: unknown, field: string, addError: AddError): { label: string; url: string } {
  const { label, url, ...rest } = isObject(value) ? value : {};
  for (const name of Object.keys(rest)) addError(`${field}.${name}`, 'unknown_field', 'is not a known field');
  const text = typeof label === 'string' ? label.trim() : '';
  if (text === '' || text.length > MAX_LABEL)
    addError(`${field}.label`, 'invalid_format', `must be a text of at most ${MAX_LABEL} characters`);
  const address = typeof url === 'string' ? url : '';
  if (address.length > MAX_URL || !/^(https:\/\/|mailto:)./i.test(address) || !URL.canParse(address))
    addError(`${field}.url`, 'invalid_format', 'must start with https:// or mailto:');
  return { label: text, url: address };
}
