import { UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { EtagInterceptor } from './etag.interceptor.js';

/** A read whose answer has an ETag. The service gives the same body to `requireMatch` when it is changed. */
export const AnswersEtag = () => applyDecorators(UseInterceptors(EtagInterceptor), ApiExtension('x-etag', 'answers'));

/** A change that accepts `If-Match`, and whose answer, if it has a body, has the new ETag. */
export const ChecksEtag = () => applyDecorators(UseInterceptors(EtagInterceptor), ApiExtension('x-etag', 'checks'));
