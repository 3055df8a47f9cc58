import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from './permission.js';

export const REQUIRED_PERMISSION = 'required-permission';
export const PUBLIC = 'public';

/** The one permission a key needs to call this operation. */
export const RequirePermission = (permission: Permission) =>
  applyDecorators(
    SetMetadata(REQUIRED_PERMISSION, permission),
    ApiExtension('x-permission', permission),
    ApiSecurity('ApiKeyAuthentication'),
  );

/** Open to everyone. The routes test keeps the list of these. */
export const Public = () => SetMetadata(PUBLIC, true);
