import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import { lengthOf } from '../../platform/field/text-length.js';

export const MAX_FILE_MB = 50;
export const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024;

export const MAX_FILENAME = 200;
const MAX_CONTENT_TYPE = 200;

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

/** The problem with the name of a file, or null. A name is never a path: mail programs and browsers save files under it. */
export function filenameProblem(name: unknown): FieldError | null {
  if (typeof name !== 'string') return fieldError('invalid_type', 'must be a text');
  if (name.trim() === '' || lengthOf(name) > MAX_FILENAME)
    return fieldError('too_long', `must be a text of 1 to ${MAX_FILENAME} characters`);
  // \p{Cf}: characters that reverse the direction of a text show `exe.pdf` for `fdp.exe`.
  if (/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || /^\.+$/.test(name) || !name.isWellFormed())
    return fieldError('invalid_format', 'must be the name of a file, without a path and without control characters');
  return null;
}

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(\\s*;\\s*${TOKEN}=(${TOKEN}|"[^"\\\\\\r\\n]*"))*$`);

/** The problem with a content type, or null. */
export function contentTypeProblem(type: unknown): FieldError | null {
  if (typeof type !== 'string') return fieldError('invalid_type', 'must be a text');
  if (type.length > MAX_CONTENT_TYPE) return fieldError('too_long', `must have at most ${MAX_CONTENT_TYPE} characters`);
  // eslint-disable-next-line no-control-regex
  if (!/^[ -~]*$/.test(type) || !CONTENT_TYPE.test(type))
    return fieldError('invalid_format', 'must be a content type such as application/pdf');
  // Neither may be encoded as base64 (RFC 2045, 6.4).
  if (/^(multipart|message)\//i.test(type))
    return fieldError('invalid_format', 'must not begin with multipart/ or message/: use application/octet-stream');
  return null;
}
