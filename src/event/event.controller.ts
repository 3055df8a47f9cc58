import { Body, Controller, Get, Headers, Post, Res } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiHeader, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { Watch } from '../watch/watch.js';
import { EventDto, TRIGGER_EXAMPLES, TriggerDto, TriggeredDto } from './event.dto.js';
import { EventService } from './event.service.js';
import { IsStrict } from './strict.decorator.js';
import { TriggerService } from './trigger.service.js';
import { watchTrigger } from './watch-trigger.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e')
export class EventController {
  constructor(
    private readonly events: EventService,
    private readonly triggers: TriggerService,
    private readonly watch: Watch,
  ) {}

  /** List the application's events. */
  @Get()
  @RequirePermission(Permission.EventList)
  @AnswersList(EventDto, 'The events, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.events.list(scope, page);
  }

  /**
   * Trigger the event: an occurrence is stored, and its notifications go out.
   *
   * @remarks With an `Idempotency-Key`, the same request within 24 hours answers the same occurrence and carries
   * `Idempotent-Replayed: true`; the same key with another body is a 409.
   */
  @Post(':evt/trigger')
  @RequirePermission(Permission.EventTrigger)
  @ApiHeader({ name: 'Idempotency-Key', required: false, schema: { type: 'string', minLength: 1, maxLength: 255 } })
  @ApiHeader({
    name: 'traceparent',
    required: false,
    description: 'The trace that the caller is in (W3C Trace Context): the trace of the occurrence names it.',
    schema: { type: 'string' },
  })
  @ApiQuery({
    name: 'strict',
    required: false,
    description: 'With 1, a context that lacks what the notifications need is refused: `errors` names each field.',
    schema: { type: 'integer', enum: [0, 1], default: 0 },
  })
  @ApiBody({ type: TriggerDto, required: false, examples: TRIGGER_EXAMPLES })
  @ApiConflictResponse({ description: 'The `Idempotency-Key` was used before with another body.' })
  async trigger(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('traceparent') traceparent: string | undefined,
    @IsStrict() isStrict: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriggeredDto> {
    const { occurrence, replayed } = await watchTrigger(this.watch, scope, traceparent, () =>
      this.triggers.trigger(scope, body, idempotencyKey, isStrict),
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return { occurrence };
  }
}
