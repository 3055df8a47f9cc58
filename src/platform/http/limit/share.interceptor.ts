import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { CommitGate } from './commit-gate.js';
import { ConnectionShares } from './connection-shares.js';
import { tenantOf } from './tenant.js';

const READS = new Set(['GET', 'HEAD']);

/** Runs an operation when its organization may use another connection of the database; a change also needs an open commit gate. */
@Injectable()
export class ShareInterceptor implements NestInterceptor {
  constructor(
    private readonly shares: ConnectionShares,
    private readonly commits: CommitGate,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.getArgByIndex<Request>(0);
    // The gate is outside: a change that was answered too early keeps its share as long as it keeps its connection.
    const run = () => this.shares.run(tenantOf(request), () => lastValueFrom(next.handle()));
    return from(READS.has(request.method) ? run() : this.commits.run(run));
  }
}
