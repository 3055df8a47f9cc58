import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiServiceUnavailableResponse } from '@nestjs/swagger';
import { EVENT_STREAM } from './event-stream.js';

/** Documents an operation that answers with server-sent events. The data of each event is an item. */
export const AnswersEvents = (item: Type, description: string) =>
  applyDecorators(
    ApiProduces(EVENT_STREAM),
    ApiOkResponse({ description, type: item }),
    ApiServiceUnavailableResponse({ description: 'Too many streams are open; `Retry-After` says when to retry.' }),
  );
