import { UseInterceptors, applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { ApiQueryOptions, ApiResponseOptions } from '@nestjs/swagger';
import { AcceptsQuery } from '../query.js';
import { ListingInterceptor } from './listing.interceptor.js';
import { MAX_PAGE } from './page.js';

/** Documents a list operation: an array, complete or paged, its filters, and headers of its own. */
export const AnswersList = (
  item: Type,
  description: string,
  filters: Record<string, ApiQueryOptions> = {},
  headers: ApiResponseOptions['headers'] = {},
) =>
  applyDecorators(
    UseInterceptors(ListingInterceptor),
    ...Object.entries(filters).map(([name, options]) => AcceptsQuery({ ...options, name })),
    AcceptsQuery({
      name: 'limit',
      description:
        'Maximum number of items. A page of large items has fewer. Without it, the complete list is streamed.',
      schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE },
    }),
    AcceptsQuery({
      name: 'after',
      description: 'Where the page starts. Follow the `Link` header of the previous page.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({
      description,
      type: item,
      isArray: true,
      headers: {
        Link: {
          description: 'The next page as `<url>; rel="next"` (RFC 8288), if `limit` is given and more items follow.',
          schema: { type: 'string' },
        },
        ...headers,
      },
    }),
  );
