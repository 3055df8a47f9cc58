import { MAX_FILE_MB, contentTypeProblem, filenameProblem } from '../../engine/file/file-fields.js';
import { unknownField } from '../../platform/field/error/closest.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { isUuid } from '../../platform/field/uuid-v7.js';
import { MAX_ATTACHMENTS, MAX_CID, MAX_URL } from './attachment.dto.js';
import type { AttachmentDto } from './attachment.dto.js';

const OPTION = 'options.attachments';
const SOURCES = ['content', 'upload', 'url'] as const;

const FIELDS: Record<keyof AttachmentDto, (value: unknown) => FieldError | null> = {
  filename: filenameProblem,
  content_type: contentTypeProblem,
  content: contentProblem,
  upload: (value) =>
    typeof value === 'string' && isUuid(value) ? null : fieldError('invalid_format', 'must be the id of an upload'),
  url: urlProblem,
  sha256: (value) =>
    typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)
      ? null
      : fieldError('invalid_format', 'must be a SHA-256 in 64 hexadecimal digits'),
  cid: cidProblem,
};

/** The problems with `options.attachments`, by field: `options.attachments[1].content`. */
export function attachmentErrors(value: unknown): FieldErrors {
  if (!Array.isArray(value) || !value.every(isObject))
    return { [OPTION]: [fieldError('invalid_type', 'must be an array of objects such as { "upload": "<id>" }')] };
  if (value.length === 0) return { [OPTION]: [fieldError('required', 'must not be empty: leave it out')] };
  if (value.length > MAX_ATTACHMENTS)
    return { [OPTION]: [fieldError('too_many', `must hold at most ${MAX_ATTACHMENTS} files`)] };
  const errors: FieldErrors = {};
  const cids = new Set<unknown>();
  for (const [i, item] of value.entries()) {
    const place = `${OPTION}[${i}]`;
    for (const [field, problem] of problemsOf(item)) errors[field ? `${place}.${field}` : place] ??= [problem];
    if (item.cid !== undefined && cids.has(item.cid))
      errors[`${place}.cid`] ??= [fieldError('duplicate', 'is already used by another attachment')];
    cids.add(item.cid);
  }
  return errors;
}

function problemsOf(item: Record<string, unknown>): [string, FieldError][] {
  const problems: [string, FieldError][] = [];
  for (const [field, value] of Object.entries(item)) {
    const problem = Object.hasOwn(FIELDS, field)
      ? FIELDS[field as keyof AttachmentDto](value)
      : unknownField(field, Object.keys(FIELDS));
    if (problem) problems.push([field, problem]);
  }
  const sources = SOURCES.filter((source) => item[source] !== undefined);
  if (sources.length !== 1)
    problems.push(['', fieldError('required', 'must have exactly one of content, upload and url')]);
  if (item.content !== undefined && item.filename === undefined)
    problems.push(['filename', fieldError('required', 'must be given with content')]);
  if (item.sha256 !== undefined && item.url === undefined)
    problems.push(['sha256', fieldError('not_allowed', 'must be left out without url')]);
  return problems;
}

export function cidProblem(value: unknown): FieldError | null {
  return typeof value === 'string' && value.length <= MAX_CID && /^[A-Za-z0-9._%+-]+(@[A-Za-z0-9.-]+)?$/.test(value)
    ? null
    : fieldError('invalid_format', `must be 1 to ${MAX_CID} letters, digits, dots, hyphens or underscores`);
}

function contentProblem(value: unknown): FieldError | null {
  if (typeof value !== 'string') return fieldError('invalid_type', 'must be a text in base64');
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
    ? null
    : fieldError(
        'invalid_format',
        `must be base64, without line breaks. Upload files of up to ${MAX_FILE_MB} MB instead`,
      );
}

function urlProblem(value: unknown): FieldError | null {
  const url = typeof value === 'string' && value.length <= MAX_URL && URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    return fieldError(
      'invalid_format',
      `must be a URL with http or https of at most ${MAX_URL} characters, without a user name and password`,
    );
  return null;
}
