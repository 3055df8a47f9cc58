import { addTo } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { conflict, invalid } from '../../../platform/http/problem.js';
import { ProvisioningError } from '../file.js';
import { pathText } from '../../../platform/field/yaml-path.js';
import { FileError } from '../problem/file-problems.js';
import type { FileProblem } from '../problem/file-problems.js';

/** The answer to a configuration that is refused: a 400 for mistakes in it, a 409 for what else is in the way. */
export function problemOf(error: unknown): unknown {
  if (error instanceof FileError) {
    const errors: FieldErrors = {};
    const addError = addTo(errors);
    for (const problem of error.found) {
      const { field, sentence } = fieldOf(problem);
      addError(field, problem.code, sentence);
    }
    return invalid(errors);
  }
  return error instanceof ProvisioningError ? conflict(error.message) : error;
}

/** A problem by its place in the body, which is the only organization of the file. */
export const fieldOf = ({ path, sentence }: FileProblem) => ({ field: pathText(path.slice(2)) || 'body', sentence });
