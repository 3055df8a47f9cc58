import { Controller, Delete, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { SessionDto } from './session.dto.js';
import { SessionService } from './session.service.js';

@ApiTags('Sessions')
@Controller('api/o/:org/session')
export class OrganizationSessionController {
  constructor(private readonly sessions: SessionService) {}

  /** List the sessions of the organization that are within the reach of your own key. */
  @Get()
  @RequirePermission(Permission.ApiKeyRead)
  @AnswersList(SessionDto, 'The sessions that have not ended, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.sessions.list(scope, page);
  }

  /**
   * End a session.
   *
   * @remarks Your own key must have every permission of the session. The process that handles this request refuses the session at once; the
   * other processes do so within five seconds, and end its streams.
   */
  @Delete(':session')
  @HttpCode(204)
  @RequirePermission(Permission.ApiKeyWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.sessions.removeOther(scope);
  }
}
