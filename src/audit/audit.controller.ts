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
   * List what was changed in the organization, and by whom.
   *
   * @remarks Every change of configuration and people is in it, whoever made it: over the API, with the command line or by hand in the
   * database. Triggers are not, for each is an occurrence, nor is what people do with their inbox.
   */
  @Get()
  @RequirePermission(Permission.AuditRead, 'organization')
  @AnswersList(AuditEntryDto, 'The entries, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.entries.list(scope, page);
  }
}
