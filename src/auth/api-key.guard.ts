import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { clientAddress, networkOf } from '../http/client-address.js';
import { Problem, tooManyWrongKeys, unauthorized } from '../http/problem.js';
import { presentedKey, presentedToken } from './api-key.js';
import type { Permission } from './permission.js';
import { RateLimits } from './rate-limit.js';
import { Origins } from './recipient/origins.js';
import { RecipientScopes } from './recipient/recipient-scopes.js';
import type { RecipientScope } from './recipient/token.js';
import {
  PUBLIC,
  RECIPIENT_SCOPE,
  REQUIRED_PERMISSION,
  REQUIRED_REACH,
  SPENT_QUOTAS,
} from './require-permission.decorator.js';
import type { Reach, Spending } from './require-permission.decorator.js';
import { setScope } from './scope.js';
import { ScopeService } from './scope.service.js';
import type { Needs } from './scope.service.js';

/** Requests with a wrong key or token that an address may send in a minute; after that they are answered 429 instead of 401. */
const MAX_WRONG_KEYS = 100;

/** Checks every request before its body is read, in this order: key or recipient token (401), rate limit (429), permission (403), path (404), quotas (429, 409). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly declared = new Map<unknown, Needs | null>();
  private readonly wrongKeys = new RateLimits<string>(60_000);

  constructor(
    private readonly reflector: Reflector,
    private readonly scopes: ScopeService,
    private readonly recipients: RecipientScopes,
    private readonly origins: Origins,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const needs = this.needsOf(context);
    if (needs === null) return true;
    const request = context.getArgByIndex<Request>(0);
    const response = context.getArgByIndex<Response>(1);
    // Before anything is refused: a page must be able to read why.
    const shared = needs.recipientScope !== undefined && this.origins.share(request, response);
    return shared instanceof Promise
      ? shared.then(() => this.check(request, response, needs))
      : this.check(request, response, needs);
  }

  private check(request: Request, response: Response, needs: Needs): boolean | Promise<boolean> {
    const token = presentedToken(request.headers);
    const key = token ?? presentedKey(request.headers);
    if (!key) throw unauthorized('An API key is required, as in Authorization: Key <API_KEY>.');
    // Read before the key is looked up: a client that has left meanwhile has no address any more, but its request may still write.
    const address = clientAddress(request);
    try {
      const scope = token
        ? this.recipients.resolve(token, needs.recipientScope, request.params, response)
        : this.scopes.resolve(key, needs, request.params, response);
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
   * Counts wrong keys and tokens by address. A right key is looked up and accepted all the same: others may share the address, behind a proxy or
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
    const recipientScope = this.reflector.get<RecipientScope | undefined>(RECIPIENT_SCOPE, handler);
    if (this.reflector.get<boolean>(PUBLIC, handler)) declared = null;
    else if (permission) declared = { permission, reach, spends, recipientScope };
    else throw new Error(`${context.getClass().name}.${handler.name} needs @RequirePermission() or @Public()`);
    this.declared.set(handler, declared);
    return declared;
  }
}
