import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { OccurrenceDetailDto } from './occurrence.dto.js';
import { OccurrenceService } from './occurrence.service.js';
import { ApprovedDto, CanceledDto, ReplayedDto, RetryDto, RetryingDto } from './steer.dto.js';

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences/:occurrence')
export class OccurrenceController {
  constructor(private readonly occurrences: OccurrenceService) {}

  /** Retrieve an occurrence, with what became of it. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  get(@CurrentScope() scope: Scope): Promise<OccurrenceDetailDto> {
    return this.occurrences.get(scope);
  }

  /**
   * Stop the occurrence: what has not left within two seconds does not leave.
   *
   * @remarks Deliveries that wait end as `skipped` with the gate `canceled`; what was sent stays sent. One that is `held` is refused
   * by it. Canceling again changes nothing.
   */
  @Post('cancel')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @ApiConflictResponse({ description: 'It has come to its end: there is nothing left to stop.' })
  cancel(@CurrentScope() scope: Scope): Promise<CanceledDto> {
    return this.occurrences.cancel(scope);
  }

  /**
   * Approve an occurrence that is held: it goes on, however many people it reaches.
   *
   * @remarks An occurrence that would reach more people than its event's `max_recipients` is `held`, and makes no delivery until it
   * is approved. To refuse it, cancel it.
   */
  @Post('approve')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @ApiConflictResponse({ description: 'The occurrence is not held.' })
  approve(@CurrentScope() scope: Scope): Promise<ApprovedDto> {
    return this.occurrences.approve(scope);
  }

  /**
   * Try what is dead again: all of it, or one delivery.
   *
   * @remarks A delivery that its channel's fallback took over is passed over, unless it is named. An occurrence that `failed` goes
   * on where it stopped.
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
   * @remarks The rules in force now apply. The options are the same too, without `send_at` and `expires_at`: their time is over.
   */
  @Post('replay')
  @RequirePermission(Permission.OccurrenceWrite)
  replay(@CurrentScope() scope: Scope): Promise<ReplayedDto> {
    return this.occurrences.replay(scope);
  }
}
