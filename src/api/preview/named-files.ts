import { DEFAULT_CONTENT_TYPE, contentTypeProblem, filenameProblem } from '../../engine/file/file-fields.js';
import { unknownField } from '../../platform/field/error/closest.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { invalid } from '../../platform/http/problem.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { MAX_ATTACHMENTS } from '../attachment/attachment.dto.js';
import { cidProblem } from '../attachment/read-attachments.js';
import type { NamedFileDto } from './preview.dto.js';

const FIELDS: Record<keyof NamedFileDto, (value: unknown) => FieldError | null> = {
  filename: filenameProblem,
  content_type: contentTypeProblem,
  cid: cidProblem,
};

/** The files that a draft is shown with, from a body whose first level was checked. They have names, and no bytes. */
export function namedFiles(given: readonly unknown[]): StoredAttachment[] {
  const errors: FieldErrors = {};
  if (given.length > MAX_ATTACHMENTS) throw invalid({ attachments: [tooMany] });
  for (const [i, file] of given.entries()) {
    const place = `attachments[${i}]`;
    if (!isObject(file)) {
      errors[place] = [fieldError('invalid_type', 'must be an object such as { "filename": "invoice.pdf" }')];
      continue;
    }
    for (const [field, value] of Object.entries({ filename: undefined, ...file })) {
      const problem = Object.hasOwn(FIELDS, field)
        ? FIELDS[field as keyof NamedFileDto](value)
        : unknownField(field, Object.keys(FIELDS));
      if (problem) (errors[`${place}.${field}`] ??= []).push(problem);
    }
  }
  if (hasErrors(errors)) throw invalid(errors);
  return (given as readonly NamedFileDto[]).map(namedFile);
}

const tooMany = fieldError('too_many', `must hold at most ${MAX_ATTACHMENTS} files`);

/** A file without bytes, for a message that is only shown. */
export const namedFile = ({ filename, content_type = DEFAULT_CONTENT_TYPE, cid }: NamedFileDto): StoredAttachment => ({
  ...{ filename, content_type },
  ...(cid !== undefined && { cid }),
});
