import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalid } from '../problem.js';
import { fieldError, hasErrors } from '../../field/error/field-error.js';
import type { FieldError, FieldErrors } from '../../field/error/field-error.js';

/** The query parameters that filter a list. Each check returns the problem with a value, or null. */
type FilterChecks = Record<string, (text: string) => FieldError | null>;

/** The value of each filter; null means no filter. */
export type Filter<Checks extends FilterChecks> = Record<keyof Checks, string | null>;

/** Reads the query parameters that filter a list. A 400 names every invalid one. */
export const CurrentFilter = createParamDecorator(
  <Checks extends FilterChecks>(checks: Checks, context: ExecutionContext): Filter<Checks> => {
    const { query } = context.switchToHttp().getRequest<Request>();
    const errors: FieldErrors = {};
    const read = Object.entries(checks).map(([name, check]) => {
      const value = query[name];
      if (value === undefined) return [name, null];
      // PostgreSQL accepts no NUL in a parameter.
      const isOneText = typeof value === 'string' && !value.includes('\u0000');
      const problem = isOneText ? check(value) : fieldError('invalid_format', 'must be given once, as text');
      if (problem) errors[name] = [problem];
      return [name, value];
    });
    if (hasErrors(errors)) throw invalid(errors);
    return Object.fromEntries(read) as Filter<Checks>;
  },
);

export const anyText = () => null;

export const oneOf = (values: readonly string[]) => (text: string) =>
  values.includes(text) ? null : fieldError('unknown_value', `must be one of ${values.join(', ')}`);
