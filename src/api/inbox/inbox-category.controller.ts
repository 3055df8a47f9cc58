import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { OpenToRecipient, RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import type { InboxCategoryCountDto } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';

@ApiTags('Inbox')
@Controller('api/o/:org/u/:username/inbox/categories')
export class InboxCategoryController {
  constructor(private readonly inbox: InboxService) {}

  /**
   * List the categories of the messages in the inbox.
   *
   * @remarks Those of messages that are neither archived nor snoozed, by name, at most 100. Categories of several projects with one slug are one.
   * `unread` counts among the newest 1,000 unread messages.
   */
  @Get()
  @RequirePermission(Permission.UserRead)
  @OpenToRecipient('inbox')
  list(@CurrentScope() scope: Scope): Promise<InboxCategoryCountDto[]> {
    return this.inbox.categories(scope);
  }
}
