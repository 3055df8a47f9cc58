import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../common/answers-list.decorator.js';
import { CurrentPage } from '../common/page.js';
import type { Page } from '../common/page.js';
import { InboxMessageDto } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';

@ApiTags('Inbox')
@Controller('api/o/:org/u/:username/inbox')
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  /** List the user's in-app messages. */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(InboxMessageDto, 'The messages, newest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.inbox.list(scope, page);
  }

  /** Mark a message as read. */
  @Post(':message/read')
  @HttpCode(200)
  @RequirePermission(Permission.UserWrite)
  read(@CurrentScope() scope: Scope): Promise<InboxMessageDto> {
    return this.inbox.read(scope);
  }
}
