import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { dateTimeProblem } from '../../platform/field/date-time.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, anyText, oneOf } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import type { AuditFilter } from './audit-list.sql.js';
import { AuditEntryDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

const ORDERS = ['asc', 'desc'];
const FILTER = {
  order: oneOf(ORDERS),
  noun: anyText,
  actor: anyText,
  name: anyText,
  since: dateTimeProblem,
  until: dateTimeProblem,
};
const TEXT = { type: 'string' as const };
const TIME = { type: 'string' as const, format: 'date-time' };

@ApiTags('Audit')
@Controller('api/o/:org/audit')
export class AuditController {
  constructor(private readonly entries: AuditService) {}

  /**
   * List the changes in the organization, and who made them.
   *
   * @remarks The list has every change of configuration and users: over the API, with the command line and directly in the database. It has no triggers, because each is an occurrence, and no actions of users in their inbox.
   */
  @Get()
  @RequirePermission(Permission.AuditRead, 'organization')
  @AnswersList(AuditEntryDto, 'The entries, oldest first, or newest first with `order=desc`.', {
    order: { description: '`asc`: oldest first. `desc`: newest first.', schema: { type: 'string', enum: ORDERS } },
    noun: { description: 'Only changes of this kind of resource, such as `channel`.', schema: TEXT },
    actor: {
      description: 'Only changes by this actor: the name of a key, a command or a database user.',
      schema: TEXT,
    },
    name: { description: 'Only changes of resources whose name starts with this, such as `shop/`.', schema: TEXT },
    since: { description: 'Only changes at this time or later.', schema: TIME },
    until: { description: 'Only changes before this time.', schema: TIME },
  })
  list(@CurrentScope() scope: Scope, @CurrentFilter(FILTER) filter: AuditFilter, @CurrentPage() page: Page) {
    return this.entries.list(scope, filter, page);
  }
}
