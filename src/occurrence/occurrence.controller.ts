import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../common/answers-list.decorator.js';
import { CurrentFilter } from '../common/filter.js';
import type { Filter } from '../common/filter.js';
import { CurrentPage } from '../common/page.js';
import type { Page } from '../common/page.js';
import { DeliveryStatus } from '../generated/prisma/enums.js';
import { DeliveryDetailDto, DeliveryDto } from './delivery.dto.js';
import { DELIVERY_FILTER, DeliveryService } from './delivery.service.js';
import { OccurrenceDetailDto } from './occurrence.dto.js';
import { OccurrenceService } from './occurrence.service.js';

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences/:occurrence')
export class OccurrenceController {
  constructor(
    private readonly occurrences: OccurrenceService,
    private readonly deliveries: DeliveryService,
  ) {}

  /** Retrieve an occurrence, with what became of it. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  get(@CurrentScope() scope: Scope): Promise<OccurrenceDetailDto> {
    return this.occurrences.get(scope);
  }

  /** List the occurrence's deliveries, each with its attempts. */
  @Get('deliveries')
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersList(DeliveryDto, 'The deliveries: those of a notification, and over a channel, side by side.', {
    status: { description: 'Only of this status.', enum: DeliveryStatus },
    channel: { description: 'Only over the channel of this slug.', type: String },
    user: { description: 'Only to the user of this username.', type: String },
  })
  listDeliveries(
    @CurrentScope() scope: Scope,
    @CurrentFilter(DELIVERY_FILTER) filter: Filter<typeof DELIVERY_FILTER>,
    @CurrentPage() page: Page,
  ) {
    return this.deliveries.list(scope, filter, page);
  }

  /** Retrieve a delivery, with what it said. */
  @Get('deliveries/:delivery')
  @RequirePermission(Permission.OccurrenceRead)
  getDelivery(@CurrentScope() scope: Scope): Promise<DeliveryDetailDto> {
    return this.deliveries.get(scope);
  }
}
