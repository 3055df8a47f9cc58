import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import type { FieldErrorCode } from './error/field-error.js';
import { MaxLength } from './text-length.js';

/** The slug of anything. */
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,99}$/;
/** Longest name of anything. */
export const NAME_MAX_LENGTH = 255;

export const SLUG_RULE =
  'must consist of lower-case letters, digits, - and _, start with a letter or digit, and have at most 100 characters';

/** Identifier in URLs; cannot be changed. */
export const IsSlug = () =>
  applyDecorators(ApiProperty({ pattern: SLUG.source }), Matches(SLUG, { message: SLUG_RULE }));

/** Name to show. */
export const IsName = () =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: NAME_MAX_LENGTH, pattern: '\\S' }),
    IsString(),
    MaxLength(NAME_MAX_LENGTH),
    Matches(/\S/, { message: 'must not be blank', context: { code: 'blank' satisfies FieldErrorCode } }),
  );
