import { expect, it } from '@jest/globals';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { ShareInterceptor } from '../platform/http/limit/share.interceptor.js';
import {
  PUBLIC,
  Public,
  REQUIRED_PERMISSION,
  REQUIRED_REACH,
  RequirePermission,
  SPENT_QUOTAS,
  Spends,
} from './require-permission.decorator.js';

/** What a route with these decorators declares. */
function declared(...decorators: MethodDecorator[]) {
  const route = () => undefined;
  for (const decorate of decorators) decorate({}, 'route', { value: route });
  const read = (name: string): unknown => Reflect.getMetadata(name, route);
  return {
    permission: read(REQUIRED_PERMISSION),
    reach: read(REQUIRED_REACH),
    spends: read(SPENT_QUOTAS),
    isPublic: read(PUBLIC),
    shares: ((read(INTERCEPTORS_METADATA) ?? []) as unknown[]).includes(ShareInterceptor),
  };
}

it('declares the permission and the reach that a key needs, and what the operation spends', () => {
  expect(declared(RequirePermission('event:trigger', 'project'), Spends('trigger'))).toEqual({
    ...{ permission: 'event:trigger', reach: 'project', spends: 'trigger', isPublic: undefined, shares: false },
  });
  expect(declared(RequirePermission('event:list'))).toMatchObject({ permission: 'event:list', reach: undefined });
});

it('opens a route only by its own decorator', () => {
  expect(declared(Public())).toMatchObject({ isPublic: true, permission: undefined });
});

it('shares the database among the users of changes and of occurrences, unless they have a limit of their own', () => {
  const shares = (...given: Parameters<typeof RequirePermission>) => declared(RequirePermission(...given)).shares;
  expect([shares('user:write'), shares('occurrence:read'), shares('occurrence:write')]).toEqual([true, true, true]);
  expect([shares('user:read'), shares('system:ping')]).toEqual([false, false]);
  expect([shares('user:write', undefined, 'own'), shares('user:read', undefined, 'shared')]).toEqual([false, true]);
});
