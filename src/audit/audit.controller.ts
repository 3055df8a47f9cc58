import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { AuditEntryDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit')
@Controller('api/o/:org/audit')
export class AuditController {
  constructor(private readonly entries: AuditService) {}

  /**
   * List the changes in the organization, and who made them.
   *
   * @remarks The list has every change of configuration and people: over the API, with the command line and directly in the database. It has no triggers, because each is an occurrence, and no actions of people in their inbox.
   */
  @Get()
  @RequirePermission(Permission.AuditRead, 'organization')
  @AnswersList(AuditEntryDto, 'The entries, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.entries.list(scope, page);
  }
}
