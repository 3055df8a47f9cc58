import type { FieldErrors } from '../../platform/field/error/field-error.js';

/** Errors as lines for a file or a terminal, such as `channel acme/mail: config.url: is required`. */
export const errorLines = (owner: string, errors: FieldErrors): string[] =>
  Object.entries(errors).flatMap(([field, all]) => all.map(({ sentence }) => `${owner}: ${field}: ${sentence}`));
