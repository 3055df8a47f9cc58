import { isUtf8 } from 'node:buffer';
import type { FieldError } from '../../field/error/field-error.js';
import { invalidField } from '../problem.js';

export const MAX_DEPTH = 32;

/** Matches the JSON text of every value that cannot be stored. If a body does not match, its parsed value is not searched. */
const SUSPICIOUS = /\\u|__proto__|\d{16}|\d[eE]/;

/** Parses a request body. Refuses values that PostgreSQL cannot store or that JavaScript would silently change. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (tooDeep(text)) throw invalidField('body', 'too_large', `must not be nested more than ${MAX_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidField('body', 'invalid_format', `must be valid JSON: ${(error as Error).message}`);
  }
  const problem = SUSPICIOUS.test(text) ? findUnstorable(value, '') : null;
  if (problem) throw invalidField(problem.field || 'body', problem.code, problem.sentence);
  return value;
}

const BYTE_ORDER_MARK = '\uFEFF';

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidField('body', 'invalid_format', 'must be UTF-8 text');
  const text = bytes.toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Counts the depth in the text, before parsing, so that all later code can recurse safely. */
function tooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22 /* " */) inString = !inString;
    else if (char === 0x5c /* \ */ && inString) i++;
    else if (inString) continue;
    else if (char === 0x7b /* { */ || char === 0x5b /* [ */) {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === 0x7d /* } */ || char === 0x5d /* ] */) depth--;
  }
  return false;
}

interface Unstorable extends FieldError {
  field: string;
}

function findUnstorable(value: unknown, field: string): Unstorable | null {
  if (typeof value === 'string') {
    const sentence = badText(value);
    return sentence ? { field, code: 'invalid_format', sentence } : null;
  }
  if (typeof value === 'number') {
    const sentence = badNumber(value);
    return sentence ? { field, code: 'too_large', sentence } : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${field}[${key}]` : field ? `${field}.${key}` : key;
    const sentence = badText(key) ?? (key === '__proto__' ? 'is not allowed as a field name' : null);
    // Names the parent: the answer could not show the broken name of the field.
    if (sentence)
      return { field: field || 'body', code: 'unknown_field', sentence: `has a field name that ${sentence}` };
    const problem = findUnstorable(item, path);
    if (problem) return problem;
  }
  return null;
}

function badText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}

function badNumber(number: number): string | null {
  if (!Number.isFinite(number)) return 'is too large to store as a number: send it as a string';
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    return 'is too large to store exactly as a number: send it as a string';
  }
  return null;
}
