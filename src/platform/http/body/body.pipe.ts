import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { hasErrors } from '../../field/error/field-error.js';
import { isObject } from '../../field/is-object.js';
import { invalid, invalidField } from '../problem.js';
import { checkFields } from './check-fields.js';

/**
 * Checks a body against its DTO: a 400 names unknown fields and wrong types. Nest's own pipe first runs class-transformer over
 * the whole body, which silently drops keys such as `constructor` from free-form JSON.
 */
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype || metatype === Object || metatype === Array) return value;
    const body = value === undefined ? {} : value;
    if (!isObject(body)) throw invalidField('body', 'invalid_type', 'must be a JSON object');
    return readBody(metatype as Type<object>, body);
  }
}

/** The same for an object within a body. */
export function readBody<Dto extends object>(metatype: Type<Dto>, body: Record<string, unknown>): Dto {
  const errors = checkFields(metatype, body);
  if (hasErrors(errors)) throw invalid(errors);
  return Object.assign(new metatype(), body);
}
