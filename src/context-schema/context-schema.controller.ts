import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ContextSchemaDto } from './context-schema.dto.js';
import { ContextSchemaService } from './context-schema.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/schema')
export class ContextSchemaController {
  constructor(private readonly schemas: ContextSchemaService) {}

  /**
   * Get what the event's notifications look at in a trigger's context, as a JSON Schema.
   *
   * @remarks The notifications are taken as they are now. Required is what an enabled one needs whatever the context says. What a
   * template only tests, has a `default` for or uses within a condition is optional, and so is all that a notification says whose
   * `when` may not hold.
   */
  @Get()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<ContextSchemaDto> {
    return this.schemas.get(scope);
  }
}
