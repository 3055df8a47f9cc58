import { Injectable, SetMetadata, applyDecorators } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { notKnown } from '../../field/error/closest.js';
import { isObject } from '../../field/is-object.js';
import { tenantOf } from '../limit/tenant.js';
import { UploadShares } from '../limit/upload-shares.js';
import { invalid, invalidField, unsupportedMediaType } from '../problem.js';
import { setBodyBytes } from './body-bytes.js';
import { parseForm } from './form-body.js';
import { parseJson } from './json-body.js';
import { readBytes } from './read-bytes.js';

const LIMIT = 'body-limit-kb';
export const DEFAULT_LIMIT_KB = 256;
/** The methods whose body is read. */
export const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const FORM = 'form-body';

/** The operation takes a form, as browsers send it, and answers any other body as an empty form. Its `body` is a `URLSearchParams`. */
export const FormBody = (kb: number) => applyDecorators(SetMetadata(LIMIT, kb), SetMetadata(FORM, true));

const LINES = 'lines-body';

/** The operation takes NDJSON. Its `body` is a `Buffer`. Such a body is large: each organization sends one at a time. */
export const LinesBody = (kb: number) => applyDecorators(SetMetadata(LIMIT, kb), SetMetadata(LINES, true));

const STREAM = 'streamed-body';

/** The operation reads the request itself, whatever its content type is. */
export const StreamedBody = () => SetMetadata(STREAM, true);

/** Allows one operation a larger body than the default 256 KB. */
export const BodyLimitKb = (kb: number) => SetMetadata(LIMIT, kb);

/**
 * Reads the body only after the key is checked: a caller without the right key learns nothing about its body, and makes the
 * service read nothing.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly uploads: UploadShares,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.getArgByIndex<Request>(0);
    if (!BODY_METHODS.has(request.method) || !hasBody(request)) return true;
    const limitKb = this.reflector.get<number | undefined>(LIMIT, context.getHandler()) ?? DEFAULT_LIMIT_KB;
    const response = context.getArgByIndex<Response>(1);
    if (this.reflector.get<boolean | undefined>(STREAM, context.getHandler())) return true;
    const isForm = this.reflector.get<boolean | undefined>(FORM, context.getHandler()) === true;
    if (isForm) return readForm(request, response, limitKb);
    if (this.reflector.get<boolean | undefined>(LINES, context.getHandler()))
      return this.readLines(request, response, limitKb);
    return this.read(request, response, limitKb, takesBody(context));
  }

  private async read(request: Request, response: Response, limitKb: number, isTaken: boolean): Promise<boolean> {
    if (!isJson(request)) throw unsupportedMediaType();
    const bytes = await readBytes(request, response, limitKb);
    setBodyBytes(request, bytes.length);
    if (bytes.length > 0) request.body = parseJson(bytes);
    if (!isTaken) refuseFields(request.body);
    return true;
  }

  private async readLines(request: Request, response: Response, limitKb: number): Promise<boolean> {
    if (!request.is('application/x-ndjson')) throw unsupportedMediaType('NDJSON', 'application/x-ndjson');
    this.uploads.enter(tenantOf(request), response);
    const bytes = await readBytes(request, response, limitKb);
    setBodyBytes(request, bytes.length);
    request.body = bytes;
    return true;
  }
}

const taken = new WeakMap<object, boolean>();

/** Whether the operation has a parameter for the body. Cached per route, to keep reflection out of each request. */
function takesBody(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  let isTaken = taken.get(handler);
  if (isTaken === undefined) {
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object;
    isTaken = Object.keys(args).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
    taken.set(handler, isTaken);
  }
  return isTaken;
}

/** For an operation without a body: an empty object is one, but nobody may believe that a field has an effect. */
function refuseFields(body: unknown): void {
  if (body === undefined) return;
  if (!isObject(body)) throw invalidField('body', 'invalid_type', 'must be a JSON object');
  const fields = Object.keys(body);
  if (fields.length > 0) throw invalid(Object.fromEntries(fields.map((field) => [field, [notKnown()]])));
}

async function readForm(request: Request, response: Response, limitKb: number): Promise<boolean> {
  const bytes = await readBytes(request, response, limitKb);
  request.body = parseForm(bytes, request.headers['content-type']);
  return true;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function isJson(request: Request): boolean {
  return request.headers['content-type'] === 'application/json' || Boolean(request.is(['application/json', '+json']));
}
