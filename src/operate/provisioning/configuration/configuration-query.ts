import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField } from '../../../platform/http/problem.js';

export interface ApplyQuery {
  prune: boolean;
  maxNames: number;
}

const DEFAULT_NAMES = 20;
const MAX_NAMES = 100_000;

const queryOf = (context: ExecutionContext) => context.getArgByIndex<Request>(0).query as Record<string, unknown>;

function flag(query: Record<string, unknown>, name: string): boolean {
  const value = query[name] ?? '0';
  if (value !== '0' && value !== '1') throw invalidField(name, 'unknown_value', 'must be 0 or 1');
  return value === '1';
}

/** Reads `?users=`. */
export const WithUsers = createParamDecorator((_: unknown, context: ExecutionContext) =>
  flag(queryOf(context), 'users'),
);

/** Reads `?prune=` and `?max_names=`. */
export const AppliesTo = createParamDecorator((_: unknown, context: ExecutionContext): ApplyQuery => {
  const query = queryOf(context);
  const maxNames = Number(query.max_names ?? DEFAULT_NAMES);
  if (!Number.isInteger(maxNames) || maxNames < 0 || maxNames > MAX_NAMES || query.max_names === '')
    throw invalidField('max_names', 'out_of_range', `must be a whole number from 0 to ${MAX_NAMES}`);
  return { prune: flag(query, 'prune'), maxNames };
});
