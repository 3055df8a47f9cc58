import { ValidateIf } from 'class-validator';

/** The field may be left out, but must not be `null`. class-validator's `IsOptional` would accept null without a check. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);
