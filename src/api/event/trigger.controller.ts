import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { IsStrict, NeedsUsers } from './strict.decorator.js';
import { TRIGGER_EXAMPLES, TriggerDto, TriggeredDto } from './trigger.dto.js';
import { TriggerService } from './trigger.service.js';
import { watchTrigger } from './watch-trigger.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/trigger')
export class TriggerController {
  constructor(
    private readonly triggers: TriggerService,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Trigger the event: store an occurrence and send its notifications.
   *
   * @remarks A request with the same `Idempotency-Key` and the same body within 24 hours creates nothing: it returns the first
   * occurrence, with the header `Idempotent-Replayed: true`. The same key with another body is refused with 409.
   *
   * The priority `critical` also needs the permission `event:trigger-critical`. It is checked after the body: a key without it gets 400
   * for an invalid body, and 403 for a valid one.
   */
  @Post()
  @RequirePermission(Permission.EventTrigger, undefined, 'own')
  @Spends('trigger')
  @ApiHeader({ name: 'Idempotency-Key', required: false, schema: { type: 'string', minLength: 1, maxLength: 255 } })
  @ApiHeader({
    name: 'traceparent',
    required: false,
    description: 'The trace of the caller (W3C Trace Context). The trace of the occurrence links to it.',
    schema: { type: 'string' },
  })
  @AcceptsQuery({
    name: 'strict',
    description: '1: refuse a context that lacks fields which the notifications need. `errors` lists these fields.',
    schema: { type: 'integer', enum: [0, 1], default: 0 },
  })
  @AcceptsQuery({
    name: 'recipients',
    description:
      '`strict`: refuse names in `recipients` and `limit_to` that are not users. Otherwise the header `Unknown-Users` and the warnings of the occurrence name them.',
    schema: { type: 'string', enum: ['strict'] },
  })
  @ApiBody({ type: TriggerDto, required: false, examples: TRIGGER_EXAMPLES })
  @ApiResponse({
    status: 201,
    type: TriggeredDto,
    headers: {
      'Idempotent-Replayed': {
        description: '`true` if the occurrence was stored by an earlier request with the same `Idempotency-Key`.',
        schema: { type: 'string', enum: ['true'] },
      },
      'Unknown-Users': {
        description:
          'The first 20 names in `recipients` and `limit_to` that are not users, in lower case, with commas between them. Characters that a header cannot have are percent-encoded.',
        schema: { type: 'string' },
      },
    },
  })
  @ApiConflictResponse({ description: 'The `Idempotency-Key` was used before with another body.' })
  async trigger(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('traceparent') traceparent: string | undefined,
    @IsStrict() isStrict: boolean,
    @NeedsUsers() needsUsers: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriggeredDto> {
    const { occurrence, replayed, unknown } = await watchTrigger(this.telemetry, scope, traceparent, () =>
      this.triggers.trigger(scope, body, idempotencyKey, isStrict, needsUsers),
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    if (unknown.length > 0) response.setHeader('Unknown-Users', unknown.map(headerText).join(','));
    return { occurrence };
  }
}

const headerText = (name: string) => encodeURIComponent(name).replaceAll('%40', '@');
