import type { Type } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** The field may be left out, but must not be `null`. class-validator's `IsOptional` would accept null without a check. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);

/** The field may be `null`. */
export const OrNull = () => ValidateIf((_object, value) => value !== null);

/** The fields of a resource, each of which a change may leave out. */
export const Changes = <Dto extends object>(dto: Type<Dto>) => PartialType(dto, { skipNullProperties: false });

/** The fields of a new resource: only these are required. */
export const New = <Dto extends object, Required extends keyof Dto>(dto: Type<Dto>, required: readonly Required[]) =>
  IntersectionType(PickType(dto, required), Changes(OmitType(dto, required)));
