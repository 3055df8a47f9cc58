import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { DeliveryStatus } from '../../platform/database/generated/prisma/enums.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { DeliveryDetailDto, DeliveryDto, UserDeliveryDto } from './delivery.dto.js';
import { DELIVERY_FILTER, DeliveryService } from './delivery.service.js';
import { USER_DELIVERY_FILTER, UserDeliveryService } from './user-delivery.service.js';
import { WithheldDto } from './withheld.dto.js';
import { WithheldService } from './withheld.service.js';

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences/:occurrence/deliveries')
export class DeliveryController {
  constructor(private readonly deliveries: DeliveryService) {}

  /** List the occurrence's deliveries, each with its attempts. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersList(DeliveryDto, 'The deliveries, grouped by notification and channel.', {
    status: { description: 'Only deliveries with this status.', enum: DeliveryStatus },
    channel: { description: 'Only deliveries over the channel with this slug.', type: String },
    user: { description: 'Only deliveries to the user with this username.', type: String },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentFilter(DELIVERY_FILTER) filter: Filter<typeof DELIVERY_FILTER>,
    @CurrentPage() page: Page,
  ) {
    return this.deliveries.list(scope, filter, page);
  }

  /** Retrieve a delivery with its message. */
  @Get(':delivery')
  @RequirePermission(Permission.OccurrenceRead)
  get(@CurrentScope() scope: Scope): Promise<DeliveryDetailDto> {
    return this.deliveries.get(scope);
  }
}

@ApiTags('Users')
@Controller('api/o/:org/u/:username/deliveries')
export class UserDeliveryController {
  constructor(private readonly deliveries: UserDeliveryService) {}

  /**
   * List the deliveries to a user: what they were sent, and what they were not sent and why.
   *
   * @remarks The key also needs the permission `occurrence:read`. A key that is bound to a project or an application sees the deliveries of its
   * branch. A user whom no notification was for has no delivery; `explain` tells why, and `withheld/` lists what a false condition kept back. One request looks through some of the newest deliveries of all
   * users, up to 11 million: a page may have fewer items than `limit`, or none, although others follow. Its `Link` header says so.
   */
  @Get()
  // Not the other way round: a key without `user:read` must not learn who exists.
  @RequirePermission(Permission.UserRead)
  @AnswersList(UserDeliveryDto, 'The deliveries, newest first, each with its attempts.', {
    status: { description: 'Only deliveries with this status.', enum: DeliveryStatus },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentFilter(USER_DELIVERY_FILTER) filter: Filter<typeof USER_DELIVERY_FILTER>,
    @CurrentPage() page: Page,
  ) {
    scope.require(Permission.OccurrenceRead);
    return this.deliveries.list(scope, filter, page);
  }
}

@ApiTags('Users')
@Controller('api/o/:org/u/:username/withheld')
export class WithheldController {
  constructor(private readonly withheld: WithheldService) {}

  /**
   * List what a user was not sent because a notification applied to nobody: its condition was false, or it was switched off.
   *
   * @remarks Such notifications have no deliveries. The rules are those of the time of the trigger, the lists and fields of the user those of now.
   * The key also needs the permission `occurrence:read`. One request looks through some 2,000 of the newest occurrences: a page may have fewer items
   * than `limit`, or none, although others follow. Its `Link` header says so.
   */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(WithheldDto, 'The occurrences, newest first, each with a sentence that says why.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    scope.require(Permission.OccurrenceRead);
    return this.withheld.list(scope, page);
  }
}
