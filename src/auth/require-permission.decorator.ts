import { SetMetadata, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { ShareInterceptor } from '../http/limit/share.interceptor.js';
import type { Permission } from './permission.js';

export const REQUIRED_PERMISSION = 'required-permission';
export const REQUIRED_REACH = 'required-reach';
export const PUBLIC = 'public';

/**
 * The part of the tree that a key must cover completely: all organizations (an operator key), its organization, or its project.
 */
export type Reach = 'service' | 'organization' | 'project';

/**
 * The permission that a key needs for this operation. With a reach, a key that is bound to a smaller part is refused too. Operations
 * count as users of the database (`ConnectionShares`), except those with a limit of their own.
 */
export const RequirePermission = (permission: Permission, reach?: Reach, limit: 'shared' | 'own' = 'shared') =>
  applyDecorators(
    SetMetadata(REQUIRED_PERMISSION, permission),
    SetMetadata(REQUIRED_REACH, reach),
    ...(limit === 'own' ? [] : [UseInterceptors(ShareInterceptor)]),
    ApiExtension('x-permission', permission),
    ...(reach ? [ApiExtension('x-reach', reach)] : []),
    ApiSecurity('ApiKeyAuthentication'),
  );

/** Opens a route to requests without a key. The routes test lists all public routes. */
export const Public = () => SetMetadata(PUBLIC, true);
