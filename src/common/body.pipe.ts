import { ValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { invalid } from './problem.js';
import type { FieldErrors } from './problem.js';

/** Checks bodies against their DTO: unknown fields and wrong types are a 400 that names them. */
export class BodyPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => invalid(fieldErrors(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return super.transform(value, metadata);
    if (metadata.metatype === Object || metadata.metatype === Array) return value;
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw invalid({ body: ['must be a JSON object'] });
    }
    return super.transform(value ?? {}, metadata);
  }
}

function fieldErrors(errors: ValidationError[]): FieldErrors {
  return Object.fromEntries(
    errors.map(({ property, constraints = {} }) => [
      property,
      'whitelistValidation' in constraints
        ? ['is not a known field']
        : Object.values(constraints).map(sentence(property)),
    ]),
  );
}

// The field stands before the sentence already.
const sentence = (property: string) => (text: string) =>
  text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
