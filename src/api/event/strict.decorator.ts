import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField } from '../../platform/http/problem.js';

/** Reads `?strict=`. Most triggers have no query string, so none is parsed for them. */
export const IsStrict = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const request = context.getArgByIndex<Request>(0);
  if (!request.url.includes('?')) return false;
  const { strict = '0' } = request.query;
  if (strict !== '0' && strict !== '1') throw invalidField('strict', 'unknown_value', 'must be 0 or 1');
  return strict === '1';
});

/** Reads `?recipients=strict`. */
export const NeedsUsers = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const request = context.getArgByIndex<Request>(0);
  if (!request.url.includes('?')) return false;
  const { recipients } = request.query;
  if (recipients !== undefined && recipients !== 'strict')
    throw invalidField('recipients', 'unknown_value', 'must be strict');
  return recipients === 'strict';
});
