import type { Type } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** The field may be left out, but must not be `null`. class-validator's `IsOptional` would accept null without a check. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);

/** The field may be `null`. */
export const OrNull = () => ValidateIf((_object, value) => value !== null);

/** The same fields, each of which may be left out. */
export const Changes = <Dto extends object>(dto: Type<Dto>) => PartialType(dto, { skipNullProperties: false });
