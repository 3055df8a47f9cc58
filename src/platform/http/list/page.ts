import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { positiveInt } from '../../field/positive-int.js';
import { invalidField } from '../problem.js';
import type { Problem } from '../problem.js';

export const MAX_PAGE = 1000;

/** The requested part of a list. Without a limit, the complete list. */
export interface Page {
  limit: number | null;
  after: string | null;
}

/** Reads `?limit=` and `?after=`. */
export const CurrentPage = createParamDecorator((_: unknown, context: ExecutionContext): Page => {
  const { limit, after } = context.switchToHttp().getRequest<Request>().query;
  return { limit: readLimit(limit), after: readAfter(after) };
});

/** Parses the cursor of a list that is ordered by id. */
export function afterId(after: string | null): number {
  if (after === null) return 0;
  const id = positiveInt(after);
  if (id === null) throw badCursor();
  return id;
}

export function badCursor(): Problem {
  return invalidField('after', 'invalid_format', 'must be taken from the Link header of the page before');
}

function readLimit(value: unknown): number | null {
  if (value === undefined) return null;
  const limit = typeof value === 'string' ? positiveInt(value) : null;
  if (limit === null || limit > MAX_PAGE)
    throw invalidField('limit', 'out_of_range', `must be a whole number from 1 to ${MAX_PAGE}`);
  return limit;
}

function readAfter(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value.includes('\u0000'))
    throw invalidField('after', 'invalid_format', 'must be given once, as text');
  return value;
}
