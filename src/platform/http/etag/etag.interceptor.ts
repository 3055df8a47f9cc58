import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { tap } from 'rxjs';
import type { Observable } from 'rxjs';
import { etagOf } from './etag.js';

@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.getArgByIndex<Response>(1);
    return next.handle().pipe(
      tap((body: unknown) => {
        if (typeof body === 'object' && body !== null) response.setHeader('ETag', etagOf(body));
      }),
    );
  }
}
