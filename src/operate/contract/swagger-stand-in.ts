import * as mapped from '@nestjs/mapped-types';
import type * as swagger from '@nestjs/swagger';

// The running service and the tests import this file instead of @nestjs/swagger, which only `npm run contract` needs: loading it took
// 0.3 s of CPU time of each start. scripts/build.mjs makes the exchange, and fails if a name is missing here.

/** A decorator that does nothing, whatever it is given. */
const nothing = () => () => undefined;

export const ApiBody: typeof swagger.ApiBody = nothing;
export const ApiConsumes: typeof swagger.ApiConsumes = nothing;
export const ApiConflictResponse: typeof swagger.ApiConflictResponse = nothing;
export const ApiExcludeController: typeof swagger.ApiExcludeController = nothing;
export const ApiExtension: typeof swagger.ApiExtension = nothing;
export const ApiExtraModels: typeof swagger.ApiExtraModels = nothing;
export const ApiHeader: typeof swagger.ApiHeader = nothing;
export const ApiOkResponse: typeof swagger.ApiOkResponse = nothing;
export const ApiOperation: typeof swagger.ApiOperation = nothing;
export const ApiProduces: typeof swagger.ApiProduces = nothing;
export const ApiProperty: typeof swagger.ApiProperty = nothing;
export const ApiQuery: typeof swagger.ApiQuery = nothing;
export const ApiResponse: typeof swagger.ApiResponse = nothing;
export const ApiSecurity: typeof swagger.ApiSecurity = nothing;
export const ApiServiceUnavailableResponse: typeof swagger.ApiServiceUnavailableResponse = nothing;
export const ApiTags: typeof swagger.ApiTags = nothing;

/** Only used in what decorators are given. */
export const getSchemaPath: typeof swagger.getSchemaPath = () => '';

// These make the classes that validate bodies. Swagger's own add the contract to them.
export const IntersectionType = mapped.IntersectionType as typeof swagger.IntersectionType;
export const OmitType = mapped.OmitType as typeof swagger.OmitType;
export const PartialType = mapped.PartialType as typeof swagger.PartialType;
export const PickType = mapped.PickType as typeof swagger.PickType;
