import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { SummaryDto } from './summary.dto.js';
import { SummaryService } from './summary.service.js';

@ApiTags('Organizations')
@Controller('api/o/:org/summary')
export class SummaryController {
  constructor(private readonly summaries: SummaryService) {}

  /**
   * Retrieve what needs attention now: held occurrences, dead deliveries, resting channels, switches that are off, waiting work.
   *
   * @remarks A key that is bound to a project or an application cannot: the numbers are those of the whole organization.
   */
  @Get()
  @RequirePermission(Permission.OccurrenceRead, 'organization')
  get(@CurrentScope() scope: Scope): Promise<SummaryDto> {
    return this.summaries.get(scope);
  }
}
