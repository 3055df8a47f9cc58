import { Injectable, SetMetadata } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { raw } from 'express';
import type { Request, Response } from 'express';
import { parseJson } from './json-body.js';
import { invalid, payloadTooLarge, unsupportedMediaType } from './problem.js';

const LIMIT = 'body-limit-kb';
const DEFAULT_LIMIT_KB = 256;

/** Lets one operation take a larger body than the usual 256 KB. */
export const BodyLimitKb = (kb: number) => SetMetadata(LIMIT, kb);

/**
 * Reads the body after the guards: a caller without a key learns nothing about it, and whoever may not write has nothing read.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Request>();
    if (['POST', 'PUT', 'PATCH'].includes(request.method)) {
      const limitKb = this.reflector.get<number | undefined>(LIMIT, context.getHandler()) ?? DEFAULT_LIMIT_KB;
      request.body = await readBody(request, context.switchToHttp().getResponse<Response>(), limitKb);
    }
    return next.handle();
  }
}

async function readBody(request: Request, response: Response, limitKb: number): Promise<unknown> {
  if (request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length']))
    return undefined;
  if (!request.is(['application/json', '+json'])) throw unsupportedMediaType();
  const bytes = await readBytes(request, response, limitKb);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function readBytes(request: Request, response: Response, limitKb: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    raw({ type: () => true, limit: limitKb * 1024 })(request, response, (error?: unknown) => {
      if (error) reject(refusal(error as { status?: number; message: string }, limitKb));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function refusal({ status, message }: { status?: number; message: string }, limitKb: number): Error {
  if (status === 413) return payloadTooLarge(limitKb);
  return status === 415 ? unsupportedMediaType() : invalid({ body: [`could not be read: ${message}`] });
}
