import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { RevisionDto } from './revision.dto.js';
import { RevisionService } from './revision.service.js';

@ApiTags('Notifications')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/revisions')
export class RevisionController {
  constructor(private readonly revisions: RevisionService) {}

  /**
   * List the past and present notifications and templates of the event.
   *
   * @remarks Every change of a notification is a revision. The newest 500 of an event are kept, and older ones for as long as a stored
   * occurrence uses them. The audit log has all changes.
   */
  @Get()
  @RequirePermission(Permission.NotificationRead)
  @AnswersList(RevisionDto, 'The revisions, newest first, each with what it changed.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.revisions.list(scope, page);
  }
}
