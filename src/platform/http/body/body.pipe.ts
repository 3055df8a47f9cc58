import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import type { ValidationError } from 'class-validator';
import { notKnown, unknownField } from '../../field/closest.js';
import { isObject } from '../../field/is-object.js';
import { invalid } from '../problem.js';
import type { FieldErrors } from '../problem.js';

/**
 * Checks a body against its DTO: a 400 names unknown fields and wrong types. Nest's own pipe first runs class-transformer over
 * the whole body, which silently drops keys such as `constructor` from free-form JSON.
 */
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || !metatype || metatype === Object || metatype === Array) return value;
    const body = value === undefined ? {} : value;
    if (!isObject(body)) throw invalid({ body: ['must be a JSON object'] });
    return readBody(metatype as Type<object>, body);
  }
}

/** The same for an object within a body. */
export async function readBody<Dto extends object>(metatype: Type<Dto>, body: Record<string, unknown>): Promise<Dto> {
  // class-validator does not report unknown fields whose name every object inherits, such as `toString`.
  const inherited = Object.keys(body).filter((key) => key in Object.prototype);
  if (inherited.length > 0) throw invalid(Object.fromEntries(inherited.map((key) => [key, [notKnown()]])));
  const dto = Object.assign(new metatype(), body);
  const errors = await validate(dto, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  if (errors.length > 0) throw invalid(fieldErrors(errors, namesOf(metatype)));
  return dto;
}

/** The fields that the DTO declares. */
function namesOf(dto: Type): string[] {
  const declared = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...new Set(declared.map(({ propertyName }) => propertyName))];
}

function fieldErrors(errors: ValidationError[], known: string[]): FieldErrors {
  return Object.fromEntries(
    errors.map(({ property, constraints = {} }) => [
      property,
      'whitelistValidation' in constraints
        ? [unknownField(property, known)]
        : [...new Set(Object.values(constraints).map(sentence(property)))],
    ]),
  );
}

// The answer already names the field before the sentence.
const sentence = (property: string) => (text: string) =>
  text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
