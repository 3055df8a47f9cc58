import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from './permission.js';

export const REQUIRED_PERMISSION = 'required-permission';
export const REQUIRED_REACH = 'required-reach';
export const PUBLIC = 'public';

/** What a key must reach the whole of: all organizations (an operator key), its organization, its project. */
export type Reach = 'service' | 'organization' | 'project';

/** The one permission a key needs to call this operation; with a reach, a key that is bound to less is refused too. */
export const RequirePermission = (permission: Permission, reach?: Reach) =>
  applyDecorators(
    SetMetadata(REQUIRED_PERMISSION, permission),
    SetMetadata(REQUIRED_REACH, reach),
    ApiExtension('x-permission', permission),
    ...(reach ? [ApiExtension('x-reach', reach)] : []),
    ApiSecurity('ApiKeyAuthentication'),
  );

/** Open to everyone. The routes test keeps the list of these. */
export const Public = () => SetMetadata(PUBLIC, true);
