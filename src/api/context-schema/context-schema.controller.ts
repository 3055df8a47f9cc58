import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ContextSchemaDto } from './context-schema.dto.js';
import { ContextSchemaService } from './context-schema.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/schema')
export class ContextSchemaController {
  constructor(private readonly schemas: ContextSchemaService) {}

  /**
   * Get a JSON Schema of the context fields that the event's notifications use.
   *
   * @remarks The schema describes the current notifications. A field is required when an enabled notification always needs it. A
   * field is optional when a template only tests it, has a `default` for it or uses it inside a condition, or when the
   * notification has a `when`.
   */
  @Get()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<ContextSchemaDto> {
    return this.schemas.get(scope);
  }
}
