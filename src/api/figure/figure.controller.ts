import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentFilter } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { FiguresDto } from './figure.dto.js';
import { OUTCOMES } from '../occurrence/by-message/by-message.js';
import { FIGURE_FILTER, FigureService } from './figure.service.js';
import { FIGURE_KEYS } from './figure.sql.js';

const TIME = { type: 'string' as const, format: 'date-time' };

@ApiTags('Occurrences')
@Controller('api/o/:org/figures')
export class FiguresController {
  constructor(private readonly figures: FigureService) {}

  /**
   * Count messages by their outcome: for each hour, day, event, channel, project, domain, outcome or reason.
   *
   * @remarks A message counts in the hour of its occurrence, whenever it was sent. Figures are a few seconds behind. They stay for a year, also of deleted
   * occurrences. A key that is bound to a project or an application sees those of its branch.
   */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AcceptsQuery({ name: 'by', description: 'What each row counts. Default: `day`.', enum: FIGURE_KEYS })
  @AcceptsQuery({
    name: 'since',
    description:
      'From the hour of this time. Default: 7 days before `until`. At most 31 days by hour, 400 days otherwise.',
    schema: TIME,
  })
  @AcceptsQuery({ name: 'until', description: 'Hours that begin before this time. Default: now.', schema: TIME })
  @AcceptsQuery({ name: 'project', description: 'Only of the project with this slug.', type: String })
  @AcceptsQuery({
    name: 'application',
    description: 'Only of this application, as project/application.',
    schema: { type: 'string', pattern: '^[^/]*/[^/]*$' },
    example: 'shop/web',
  })
  @AcceptsQuery({
    name: 'event',
    description: 'Only of this event, as project/application/event. Not by domain.',
    schema: { type: 'string', pattern: '^[^/]*/[^/]*/[^/]*$' },
    example: 'shop/web/order-paid',
  })
  @AcceptsQuery({ name: 'channel', description: 'Only over the channels with this slug.', type: String })
  @AcceptsQuery({ name: 'outcome', description: 'Only messages with this outcome.', enum: OUTCOMES })
  get(
    @CurrentScope() scope: Scope,
    @CurrentFilter(FIGURE_FILTER) filter: Filter<typeof FIGURE_FILTER>,
  ): Promise<FiguresDto> {
    return this.figures.get(scope, filter);
  }
}
