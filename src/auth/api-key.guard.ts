import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { unauthorized } from '../common/problem.js';
import { hashApiKey, isWellFormed, presentedKey } from './api-key.js';
import type { Permission } from './permission.js';
import { PUBLIC, REQUIRED_PERMISSION } from './require-permission.decorator.js';
import { setScope } from './scope.js';
import { ScopeService } from './scope.service.js';

/** Stands before every route: key (401), permission (403), path (404), in this order, before the body is read. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly scopes: ScopeService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    if (this.reflector.get<boolean>(PUBLIC, handler)) return true;
    const permission = this.reflector.get<Permission | undefined>(REQUIRED_PERMISSION, handler);
    if (!permission) throw new Error(`${context.getClass().name}.${handler.name} declares no permission`);

    const request = context.switchToHttp().getRequest<Request>();
    const key = presentedKey(request.headers);
    if (!key) throw unauthorized('An API key is required, as in Authorization: Key <API_KEY>.');
    if (!isWellFormed(key)) throw unauthorized('The API key is not valid.');
    setScope(request, await this.scopes.resolve(hashApiKey(key), permission, request.params));
    return true;
  }
}
