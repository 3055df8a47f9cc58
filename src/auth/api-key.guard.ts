import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { clientAddress, networkOf } from '../http/client-address.js';
import { Problem, tooManyWrongKeys, unauthorized } from '../http/problem.js';
import { presentedKey } from './api-key.js';
import type { Permission } from './permission.js';
import { RateLimits } from './rate-limit.js';
import { PUBLIC, REQUIRED_PERMISSION, REQUIRED_REACH, SPENT_QUOTAS } from './require-permission.decorator.js';
import type { Reach, Spending } from './require-permission.decorator.js';
import { setScope } from './scope.js';
import { ScopeService } from './scope.service.js';
import type { Needs } from './scope.service.js';

/** Requests with a wrong key that an address may send in a minute; after that they are answered 429 instead of 401. */
const MAX_WRONG_KEYS = 100;

/** Checks every request before its body is read, in this order: key (401), rate limit (429), permission (403), path (404), quotas (429, 409). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly declared = new Map<unknown, Needs | null>();
  private readonly wrongKeys = new RateLimits<string>(60_000);

  constructor(
    private readonly reflector: Reflector,
    private readonly scopes: ScopeService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const needs = this.needsOf(context);
    if (needs === null) return true;
    const request = context.getArgByIndex<Request>(0);
    const key = presentedKey(request.headers);
    if (!key) throw unauthorized('An API key is required, as in Authorization: Key <API_KEY>.');
    // Read before the key is looked up: a client that has left meanwhile has no address any more, but its request may still write.
    const address = clientAddress(request);
    try {
      const scope = this.scopes.resolve(key, needs, request.params, context.getArgByIndex<Response>(1));
      if (!(scope instanceof Promise)) return setScope(request, scope, address);
      return scope.then(
        (resolved) => setScope(request, resolved, address),
        (error: unknown) => this.refuse(address, error),
      );
    } catch (error) {
      return this.refuse(address, error);
    }
  }

  /**
   * Counts wrong keys by address. A right key is looked up and accepted all the same: others may share the address, behind a proxy or
   * a router, and must not be locked out by one of them.
   */
  private refuse(address: string, error: unknown): never {
    if (error instanceof Problem && error.kind === 'unauthorized') {
      const { waitMs } = this.wrongKeys.take(networkOf(address), MAX_WRONG_KEYS);
      if (waitMs > 0) throw tooManyWrongKeys(Math.ceil(waitMs / 1000));
    }
    throw error;
  }

  /** Returns what the route declares, or null for a public route. Cached per route, to keep reflection out of each request. */
  private needsOf(context: ExecutionContext): Needs | null {
    const handler = context.getHandler();
    let declared = this.declared.get(handler);
    if (declared !== undefined) return declared;
    const permission = this.reflector.get<Permission | undefined>(REQUIRED_PERMISSION, handler);
    const reach = this.reflector.get<Reach | undefined>(REQUIRED_REACH, handler);
    const spends = this.reflector.get<Spending | undefined>(SPENT_QUOTAS, handler);
    if (this.reflector.get<boolean>(PUBLIC, handler)) declared = null;
    else if (permission) declared = { permission, reach, spends };
    else throw new Error(`${context.getClass().name}.${handler.name} needs @RequirePermission() or @Public()`);
    this.declared.set(handler, declared);
    return declared;
  }
}
