import { ValidateIf } from 'class-validator';

/** May be left out, but not `null`: class-validator's own `IsOptional` would let a null pass unchecked. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);
