import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { OccurrenceDetailDto } from './occurrence.dto.js';
import { OccurrenceService } from './occurrence.service.js';

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
}
