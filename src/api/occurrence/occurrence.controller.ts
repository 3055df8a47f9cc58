import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AcknowledgementDto, AcknowledgeOccurrenceDto } from './acknowledge/acknowledge.dto.js';
import { AcknowledgeService } from './acknowledge/acknowledge.service.js';
import { OccurrenceDetailDto } from './occurrence.dto.js';
import { OccurrenceService } from './occurrence.service.js';
import { ApprovedDto, CanceledDto, ReplayDto, ReplayedDto, RetryDto, RetryingDto } from './steer.dto.js';

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences/:occurrence')
export class OccurrenceController {
  constructor(
    private readonly occurrences: OccurrenceService,
    private readonly acknowledgements: AcknowledgeService,
  ) {}

  /** Retrieve an occurrence with its outcome. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  get(@CurrentScope() scope: Scope): Promise<OccurrenceDetailDto> {
    return this.occurrences.get(scope);
  }

  /**
   * Cancel the occurrence: messages that are not sent within two seconds are never sent.
   *
   * @remarks Waiting deliveries end as `skipped` with the gate `canceled`; messages already sent are not affected. To cancel a `held`
   * occurrence is to refuse it. Canceling again changes nothing.
   */
  @Post('cancel')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @ApiConflictResponse({ description: 'The occurrence is finished: there is nothing left to cancel.' })
  cancel(@CurrentScope() scope: Scope): Promise<CanceledDto> {
    return this.occurrences.cancel(scope);
  }

  /**
   * Approve a held occurrence: it resumes, no matter how many users it reaches.
   *
   * @remarks An occurrence that would reach more users than `max_recipients` of its event is `held`. It creates no deliveries until
   * it is approved. To refuse it, cancel it.
   */
  @Post('approve')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @ApiConflictResponse({ description: 'The occurrence is not held.' })
  approve(@CurrentScope() scope: Scope): Promise<ApprovedDto> {
    return this.occurrences.approve(scope);
  }

  /**
   * Acknowledge the occurrence for a user: somebody takes care of it, and its steps end.
   *
   * @remarks An acknowledgement is more than any evidence that a step may ask for in `unless`. It ends the steps for all users, or with
   * `acknowledge: { by: each }` of a notification for this user. The first of a user stays: to acknowledge again changes nothing.
   */
  @Post('acknowledge')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  acknowledge(@CurrentScope() scope: Scope, @Body() body: AcknowledgeOccurrenceDto): Promise<AcknowledgementDto> {
    return this.acknowledgements.acknowledge(scope, body);
  }

  /**
   * Retry all dead deliveries, or one of them.
   *
   * @remarks A delivery that the fallback of its channel took over is retried only if you name it. An occurrence that `failed`
   * resumes where it stopped.
   */
  @Post('retry')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @ApiBody({ type: RetryDto, required: false })
  @ApiConflictResponse({ description: 'The occurrence was canceled, or the delivery is not dead.' })
  retry(@CurrentScope() scope: Scope, @Body() { delivery }: RetryDto): Promise<RetryingDto> {
    return this.occurrences.retry(scope, delivery);
  }

  /**
   * Trigger the same event again, with the same context.
   *
   * @remarks The current rules apply. The options are kept, except `send_at` and `expires_at`: these times belong to the first trigger.
   * `limit_to` replays for some users only, and `notifications` only some notifications; both have their effect on top of what the trigger chose.
   * Conditions, preferences, limits and quiet hours count again, and whoever got the message before gets it once more.
   * An occurrence with the priority `critical` also needs the permission `event:trigger-critical`.
   */
  @Post('replay')
  @ApiConflictResponse({ description: 'The event takes no recipients any more, or needs them now.' })
  @RequirePermission(Permission.OccurrenceWrite)
  @Spends('trigger')
  @ApiBody({ type: ReplayDto, required: false })
  replay(@CurrentScope() scope: Scope, @Body() body: ReplayDto): Promise<ReplayedDto> {
    return this.occurrences.replay(scope, body);
  }
}
