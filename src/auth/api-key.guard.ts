import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { clientAddress } from '../platform/http/client-address.js';
import { TriggerShares } from '../platform/http/limit/trigger-shares.js';
import { unauthorized } from '../platform/http/problem.js';
import { StoredBodies } from './quota/stored-bodies.js';
import { presentedKey, presentedToken } from './api-key.js';
import type { Permission } from './permission.js';
import { WrongKeys } from './quota/rate-limit.js';
import { Origins } from './recipient/origins.js';
import { RecipientScopes } from './recipient/recipient-scopes.js';
import type { RecipientScope } from './recipient/token.js';
import {
  ANY_KEY,
  PUBLIC,
  RECIPIENT_SCOPE,
  REQUIRED_PERMISSION,
  REQUIRED_REACH,
  SPENT_QUOTAS,
} from './require-permission.decorator.js';
import type { Reach, Spending } from './require-permission.decorator.js';
import { setScope } from './scope.js';
import type { Scope } from './scope.js';
import { ScopeService } from './scope.service.js';
import type { Needs } from './scope.service.js';
import { presentedSession } from './session/cookie.js';
import { requireSameOrigin } from './session/same-origin.js';

/**
 * Checks every request before its body is read, in this order: key or recipient token (401), rate limit (429), permission (403), path (404), quotas (429, 409). A trigger
 * then waits for a share of the process, or is refused (429).
 * Without a key or token in a header, the session in the cookie counts.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly declared = new Map<unknown, Needs | null>();

  constructor(
    private readonly reflector: Reflector,
    private readonly scopes: ScopeService,
    private readonly wrongKeys: WrongKeys,
    private readonly recipients: RecipientScopes,
    private readonly origins: Origins,
    private readonly triggers: TriggerShares,
    private readonly bodies: StoredBodies,
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
    const secret = key ?? presentedSession(request);
    if (!secret) throw unauthorized('An API key is required, as in Authorization: Key <API_KEY>.');
    if (key === null) requireSameOrigin(request);
    // Read before the key is looked up: a client that has left meanwhile has no address any more, but its request may still write.
    const address = clientAddress(request);
    try {
      const scope = token
        ? this.recipients.resolve(token, needs.recipientScope, request.params, response)
        : this.scopes.resolve(secret, needs, request.params, response, key === null ? 'session' : 'key', address);
      if (!(scope instanceof Promise)) return this.enter(request, response, needs, scope, address);
      return scope.then(
        (resolved) => this.enter(request, response, needs, resolved, address),
        (error: unknown) => this.wrongKeys.refuse(address, error),
      );
    } catch (error) {
      return this.wrongKeys.refuse(address, error);
    }
  }

  private enter(request: Request, response: Response, { spends, stores }: Needs, scope: Scope, address: string) {
    setScope(request, scope, address);
    if (stores && scope.quotasOrNull) this.bodies.admit(request, response, scope.organizationId, scope.quotas);
    return spends === 'trigger' ? this.triggers.enter(scope.organizationId, response) : true;
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
    else if (this.reflector.get<boolean>(ANY_KEY, handler)) declared = { permission: null };
    else if (permission)
      declared = { permission, reach, spends, recipientScope, stores: permission.endsWith(':write') };
    else throw new Error(`${context.getClass().name}.${handler.name} needs @RequirePermission() or @Public()`);
    this.declared.set(handler, declared);
    return declared;
  }
}
