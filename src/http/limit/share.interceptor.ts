import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { ConnectionShares } from './connection-shares.js';
import { tenantOf } from './tenant.js';

/** Runs an operation when its organization may use another connection of the database. */
@Injectable()
export class ShareInterceptor implements NestInterceptor {
  constructor(private readonly shares: ConnectionShares) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tenant = tenantOf(context.getArgByIndex<Request>(0));
    return from(this.shares.run(tenant, () => lastValueFrom(next.handle())));
  }
}
