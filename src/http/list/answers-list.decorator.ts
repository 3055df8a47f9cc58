import { UseInterceptors, applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import type { ApiQueryOptions } from '@nestjs/swagger';
import { ListingInterceptor } from './listing.interceptor.js';
import { MAX_PAGE } from './page.js';

/** Publishes a list operation: an array, whole or paged, and by what it may be filtered. */
export const AnswersList = (item: Type, description: string, filters: Record<string, ApiQueryOptions> = {}) =>
  applyDecorators(
    UseInterceptors(ListingInterceptor),
    ...Object.entries(filters).map(([name, options]) => ApiQuery({ ...options, name, required: false })),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'Answer at most so many. Without it the whole list is streamed.',
      schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE },
    }),
    ApiQuery({
      name: 'after',
      required: false,
      description: 'Where to go on: follow the `Link` header of the page before.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({
      description,
      type: item,
      isArray: true,
      headers: {
        Link: {
          description: 'RFC 8288: the next page, as `<url>; rel="next"`, when `limit` was given and there is more.',
          schema: { type: 'string' },
        },
      },
    }),
  );
