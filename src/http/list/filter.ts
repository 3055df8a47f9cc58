import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalid } from '../problem.js';
import type { FieldErrors } from '../problem.js';

/** For each query parameter that narrows a list: what is wrong with a value, if anything. */
export type FilterChecks = Record<string, (text: string) => string | null>;

/** What a list is narrowed to; null is not at all. */
export type Filter<Checks extends FilterChecks> = Record<keyof Checks, string | null>;

/** Reads the query parameters that narrow a list. All that are wrong are named. */
export const CurrentFilter = createParamDecorator(
  <Checks extends FilterChecks>(checks: Checks, context: ExecutionContext): Filter<Checks> => {
    const { query } = context.switchToHttp().getRequest<Request>();
    const errors: FieldErrors = {};
    const read = Object.entries(checks).map(([name, check]) => {
      const value = query[name];
      if (value === undefined) return [name, null];
      // PostgreSQL takes no NUL in a parameter.
      const once = typeof value === 'string' && !value.includes('\u0000');
      const problem = once ? check(value) : 'must be given once, as text';
      if (problem) errors[name] = [problem];
      return [name, value];
    });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return Object.fromEntries(read) as Filter<Checks>;
  },
);

export const anyText = () => null;

export const oneOf = (values: readonly string[]) => (text: string) =>
  values.includes(text) ? null : `must be one of ${values.join(', ')}`;
