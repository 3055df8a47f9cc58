import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { OccurrenceStatus } from '../generated/prisma/enums.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentFilter } from '../http/list/filter.js';
import type { Filter } from '../http/list/filter.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { OccurrenceDto } from './occurrence.dto.js';
import { OCCURRENCE_FILTER, OccurrenceService } from './occurrence.service.js';

const TIME = { type: 'string' as const, format: 'date-time' };

@ApiTags('Occurrences')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/o')
export class EventOccurrenceController {
  constructor(private readonly occurrences: OccurrenceService) {}

  /** List the event's occurrences. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersList(OccurrenceDto, 'The occurrences, newest first.', {
    status: { description: 'Only occurrences with this status.', enum: OccurrenceStatus },
    since: { description: 'Only occurrences created at this time or later.', schema: TIME },
    until: { description: 'Only occurrences created before this time.', schema: TIME },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentFilter(OCCURRENCE_FILTER) filter: Filter<typeof OCCURRENCE_FILTER>,
    @CurrentPage() page: Page,
  ) {
    return this.occurrences.list(scope, filter, page);
  }
}
