import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { conflict, invalid } from '../../../platform/http/problem.js';
import { ProvisioningError } from '../file.js';
import { pathText } from '../problem/file-path.js';
import { FileError } from '../problem/file-problems.js';

/** The answer to a configuration that is refused: a 400 for mistakes in it, a 409 for what else is in the way. */
export function problemOf(error: unknown): unknown {
  if (error instanceof FileError) {
    const errors: FieldErrors = {};
    // The body is the only organization of the file.
    for (const { path, code, sentence } of error.found)
      (errors[pathText(path.slice(2)) || 'body'] ??= []).push({ code, sentence });
    return invalid(errors);
  }
  return error instanceof ProvisioningError ? conflict(error.message) : error;
}
