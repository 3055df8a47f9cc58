import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiProduces,
  ApiServiceUnavailableResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { EVENT_STREAM } from './event-stream.js';

/** Documents an operation that answers with server-sent events. The data of each event is one of these items. */
export const AnswersEvents = (description: string, ...items: Type[]) =>
  applyDecorators(
    ApiProduces(EVENT_STREAM),
    ApiExtraModels(...items),
    ApiOkResponse(
      items.length === 1
        ? { description, type: items[0] }
        : { description, schema: { oneOf: items.map((item) => ({ $ref: getSchemaPath(item) })) } },
    ),
    ApiServiceUnavailableResponse({ description: 'Too many streams are open; `Retry-After` says when to retry.' }),
  );
