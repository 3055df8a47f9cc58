import { ApiQuery } from '@nestjs/swagger';
import type { ApiQueryOptions } from '@nestjs/swagger';
import type { Request } from 'express';
import { invalid } from './problem.js';
import { fieldError } from '../field/error/field-error.js';
import type { FieldErrors } from '../field/error/field-error.js';
import { suggest } from '../field/error/closest.js';

const NAMES = 'query-parameters';

/** Documents a query parameter of an operation. The service refuses all others. */
export const AcceptsQuery =
  (options: ApiQueryOptions & { name: string }): MethodDecorator =>
  (target, key, descriptor) => {
    const operation = descriptor.value as object;
    Reflect.defineMetadata(NAMES, [...acceptedBy(operation), options.name], operation);
    ApiQuery({ required: false, ...options })(target, key, descriptor);
  };

const acceptedBy = (operation: object) => (Reflect.getMetadata(NAMES, operation) as string[] | undefined) ?? [];

/** Refuses a query parameter that the operation does not know, like an unknown field of a body: `?limt=10` would list everything. */
export function refuseUnknownQuery(request: Request, operation: object): void {
  const accepted = acceptedBy(operation);
  const unknown = Object.keys(request.query).filter((name) => !accepted.includes(name));
  if (unknown.length === 0) return;
  const problem = (name: string) =>
    accepted.length === 0 ? ': this operation has no query parameters' : suggest(name, accepted);
  const errors = unknown.map((name) => [
    name,
    [fieldError('unknown_field', `is not a query parameter${problem(name)}`)],
  ]);
  throw invalid(Object.fromEntries(errors) as FieldErrors);
}
