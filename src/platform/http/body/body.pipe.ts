import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import type { ValidationError } from 'class-validator';
import { unknownField } from '../../field/error/closest.js';
import { fieldError } from '../../field/error/field-error.js';
import { isObject } from '../../field/is-object.js';
import { invalid, invalidField } from '../problem.js';
import type { FieldError, FieldErrorCode, FieldErrors } from '../../field/error/field-error.js';

/**
 * Checks a body against its DTO: a 400 names unknown fields and wrong types. Nest's own pipe first runs class-transformer over
 * the whole body, which silently drops keys such as `constructor` from free-form JSON.
 */
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || !metatype || metatype === Object || metatype === Array) return value;
    const body = value === undefined ? {} : value;
    if (!isObject(body)) throw invalidField('body', 'invalid_type', 'must be a JSON object');
    return readBody(metatype as Type<object>, body);
  }
}

/** The same for an object within a body. */
export async function readBody<Dto extends object>(metatype: Type<Dto>, body: Record<string, unknown>): Promise<Dto> {
  // class-validator does not report unknown fields whose name every object inherits, such as `toString`.
  const inherited = Object.keys(body).filter((key) => key in Object.prototype);
  if (inherited.length > 0)
    throw invalid(Object.fromEntries(inherited.map((key) => [key, [unknownField(key, namesOf(metatype))]])));
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
    errors.map(({ property, value, contexts, constraints = {} }) => [
      property,
      'whitelistValidation' in constraints
        ? [unknownField(property, known)]
        : distinct(
            Object.entries(constraints).map(([name, text]) =>
              fieldError(value === undefined ? 'required' : codeOf(name, contexts), sentence(property, text)),
            ),
          ),
    ]),
  );
}

const distinct = (errors: FieldError[]) =>
  errors.filter(({ sentence: text }, i) => errors.findIndex((each) => each.sentence === text) === i);

// The answer already names the field before the sentence.
const sentence = (property: string, text: string) =>
  text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;

/** A decorator with another meaning has its code in its `context`. */
const codeOf = (constraint: string, contexts: ValidationError['contexts']): FieldErrorCode =>
  (contexts?.[constraint] as { code?: FieldErrorCode } | undefined)?.code ?? CODES[constraint] ?? 'invalid_type';

const CODES: Record<string, FieldErrorCode> = {
  arrayMaxSize: 'too_many',
  arrayNotEmpty: 'required',
  isEmailAddress: 'invalid_format',
  isIn: 'unknown_value',
  matches: 'invalid_format',
  max: 'too_large',
  maxLength: 'too_long',
  min: 'too_small',
  minLength: 'too_short',
};
