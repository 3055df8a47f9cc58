import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { refuseUnknownQuery } from '../http/query.js';
import { PUBLIC } from './require-permission.decorator.js';

/** Runs after the key is checked. Public routes ignore their query string: load balancers and browsers may add to it. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.getArgByIndex<Request>(0);
    // Most requests have no query string. They need no reflection, and none is parsed for them.
    if (!request.url.includes('?')) return true;
    const operation = context.getHandler();
    if (!this.reflector.get<boolean>(PUBLIC, operation)) refuseUnknownQuery(request, operation);
    return true;
  }
}
