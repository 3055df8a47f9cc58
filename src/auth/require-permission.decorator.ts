import { SetMetadata, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { ShareInterceptor } from '../platform/http/limit/share.interceptor.js';
import { Permission } from './permission.js';
import type { RecipientScope } from './recipient/token.js';

export const REQUIRED_PERMISSION = 'required-permission';
export const REQUIRED_REACH = 'required-reach';
export const SPENT_QUOTAS = 'spent-quotas';
export const ANY_KEY = 'any-key';
export const RECIPIENT_SCOPE = 'recipient-scope';
export const PUBLIC = 'public';
export const STRICT_QUERY = 'strict-query';

/**
 * The part of the tree that a key must cover completely: all organizations (an operator key), its organization, or its project.
 */
export type Reach = 'service' | 'organization' | 'project';

/**
 * Operations that may keep a connection to the database busy for long: changes, which wait for each other, and questions about occurrences,
 * which count their deliveries. Others are too short for it: the interceptor costs a third of a ping. Lists count their own parts.
 */
const countsAsUser = (permission: Permission) =>
  permission.endsWith(':write') || permission === Permission.OccurrenceRead;

/**
 * The permission that a key needs for this operation. With a reach, a key that is bound to a smaller part is refused too. `limit`: whether
 * it counts as a user of the database (`ConnectionShares`), or has a limit of its own.
 */
export const RequirePermission = (
  permission: Permission,
  reach?: Reach,
  limit: 'shared' | 'own' = countsAsUser(permission) ? 'shared' : 'own',
) =>
  applyDecorators(
    SetMetadata(REQUIRED_PERMISSION, permission),
    SetMetadata(REQUIRED_REACH, reach),
    ...(limit === 'own' ? [] : [UseInterceptors(ShareInterceptor)]),
    ApiExtension('x-permission', permission),
    ...(reach ? [ApiExtension('x-reach', reach)] : []),
    ApiSecurity('ApiKeyAuthentication'),
  );

/** Any valid key or session may call the operation: it is about the caller itself. */
export const RequireKey = () => applyDecorators(SetMetadata(ANY_KEY, true), ApiSecurity('ApiKeyAuthentication'));

/** Recipient tokens with this scope reach the operation too, for their own user. The routes test lists all such routes. */
export const OpenToRecipient = (scope: RecipientScope) =>
  applyDecorators(SetMetadata(RECIPIENT_SCOPE, scope), ApiExtension('x-recipient-scope', scope));

/** What an operation takes of the organization's quotas: storage, or storage and one trigger. */
export type Spending = 'storage' | 'trigger';

/** The operation stores more. It is refused when the organization in the path has used up its quota. */
export const Spends = (spending: Spending) =>
  applyDecorators(SetMetadata(SPENT_QUOTAS, spending), ApiExtension('x-spends', spending));

/**
 * Opens a route to requests without a key. The routes test lists all public routes. Pages and callbacks ignore parameters of the query that
 * they do not know: browsers and providers add their own.
 */
export const Public = () => SetMetadata(PUBLIC, true);

/** The same for an operation of the contract, which refuses unknown query parameters as all others do. */
export const PublicOperation = () => applyDecorators(Public(), SetMetadata(STRICT_QUERY, true));
