import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { finalize } from 'rxjs';
import type { Observable } from 'rxjs';
import { WriteHolds } from './write-holds.js';

const WRITER = Symbol('writer');
type Writer = Request & { [WRITER]?: number };

/** Marks a request that writes to an organization of this cell. */
export function setWriter(request: Request, organizationId: number): void {
  (request as Writer)[WRITER] = organizationId;
}

/** Runs after the body was read, so that a slow client keeps nobody waiting. The write ends before the organization is quiet, or is refused. */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(private readonly holds: WriteHolds) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const organizationId = context.getArgByIndex<Writer>(0)[WRITER];
    if (organizationId === undefined) return next.handle();
    const leave = await this.holds.enter(organizationId);
    return next.handle().pipe(finalize(leave));
  }
}
