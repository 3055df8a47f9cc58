import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { refuseUnknownQuery } from '../platform/http/query.js';
import { PUBLIC, STRICT_QUERY } from './require-permission.decorator.js';

/** Runs after the key is checked. Public routes that are not in the contract ignore what they do not know of their query string. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.getArgByIndex<Request>(0);
    // Most requests have no query string. They need no reflection, and none is parsed for them.
    if (!request.url.includes('?')) return true;
    const operation = context.getHandler();
    if (this.isStrict(operation)) refuseUnknownQuery(request, operation);
    return true;
  }

  private isStrict(operation: ReturnType<ExecutionContext['getHandler']>): boolean {
    return !this.reflector.get<boolean>(PUBLIC, operation) || this.reflector.get<boolean>(STRICT_QUERY, operation);
  }
}
