import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,99}$/;
/** Longest name of anything. */
export const NAME_MAX_LENGTH = 255;

const SLUG_RULE = 'must be of lower-case letters, digits, - and _, at most 100, and start with a letter or digit';

/** Names a thing in paths; it is given once and stays. */
export const IsSlug = () =>
  applyDecorators(ApiProperty({ pattern: SLUG.source }), Matches(SLUG, { message: SLUG_RULE }));

/** What a person calls a thing. */
export const IsName = () =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength: NAME_MAX_LENGTH, pattern: '\\S' }),
    IsString(),
    MaxLength(NAME_MAX_LENGTH),
    Matches(/\S/, { message: 'must not be blank' }),
  );
