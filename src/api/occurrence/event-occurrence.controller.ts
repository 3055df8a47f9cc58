import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { OccurrenceDto, PlacedOccurrenceDto } from './occurrence.dto.js';
import { OUTCOMES, REASONS } from './by-message/by-message.js';
import {
  MAX_TEXT,
  OCCURRENCE_FILTER,
  ORGANIZATION_OCCURRENCE_FILTER,
  OccurrenceService,
} from './occurrence.service.js';

const TIME = { type: 'string' as const, format: 'date-time' };
const FILTERS = {
  status: { description: 'Only occurrences with this status.', enum: OccurrenceStatus },
  since: { description: 'Only occurrences created at this time or later.', schema: TIME },
  until: { description: 'Only occurrences created before this time.', schema: TIME },
};

@ApiTags('Occurrences')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/o')
export class EventOccurrenceController {
  constructor(private readonly occurrences: OccurrenceService) {}

  /** List the event's occurrences. */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersList(OccurrenceDto, 'The occurrences, newest first.', FILTERS)
  list(
    @CurrentScope() scope: Scope,
    @CurrentFilter(OCCURRENCE_FILTER) filter: Filter<typeof OCCURRENCE_FILTER>,
    @CurrentPage() page: Page,
  ) {
    return this.occurrences.list(scope, filter, page);
  }
}

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences')
export class OrganizationOccurrenceController {
  constructor(private readonly occurrences: OccurrenceService) {}

  /**
   * List the occurrences of all events of the organization.
   *
   * @remarks A key that is bound to a project or an application sees those of its branch. With `status`, `context` or `open`, one request
   * looks through some of the newest occurrences: about 50,000, or 5,000 with `context` or `open`. A page may have fewer items than `limit`, or none, although others follow. Its
   * `Link` header says so. The same with `outcome`, `reason`, `channel` or `domain`, which find occurrences that have messages for which all of these
   * hold. The figures say in which hours to look, so a message is found some seconds after it has changed. Of an occurrence, the first 10,000
   * messages are looked through: one with more is listed if its event has such messages in its hour.
   */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersList(PlacedOccurrenceDto, 'The occurrences, newest first.', {
    event: {
      description: 'Only occurrences of this event, as project/application/event.',
      schema: { type: 'string', pattern: '^[^/]*/[^/]*/[^/]*$' },
      example: 'shop/web/order-paid',
    },
    ...FILTERS,
    counts: {
      description: 'Also count the messages of each occurrence by their outcome: the first 1,000 of them.',
      schema: { type: 'string', enum: ['1'] },
    },
    steps: {
      description: 'Also say what became of the steps of each occurrence.',
      schema: { type: 'string', enum: ['1'] },
    },
    open: {
      description:
        'Only occurrences that are open: their steps ask for an acknowledgement, and nothing has ended them.',
      schema: { type: 'string', enum: ['1'] },
    },
    outcome: { description: 'Only occurrences with messages of this outcome.', enum: OUTCOMES },
    reason: {
      description:
        'Only occurrences with messages of this reason: a gate, what was reported, or why they were given up.',
      enum: REASONS,
    },
    channel: {
      description: 'Only occurrences with messages over this channel: its slug, or project/channel.',
      type: String,
    },
    domain: {
      description: 'Only occurrences with mails to this domain, sent or failed.',
      type: String,
    },
    context: {
      description: 'Only occurrences whose context, as JSON, has this text. Upper and lower case are the same.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT },
    },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentFilter(ORGANIZATION_OCCURRENCE_FILTER) filter: Filter<typeof ORGANIZATION_OCCURRENCE_FILTER>,
    @CurrentPage() page: Page,
  ) {
    return this.occurrences.listAll(scope, filter, page);
  }
}
