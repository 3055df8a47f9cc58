import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import {
  CreateNotificationDto,
  FlushedDto,
  NOTIFICATION_LIMIT_KB,
  NotificationDto,
  UpdateNotificationDto,
} from './notification.dto.js';
import { NotificationService } from './notification.service.js';

const DELETED_MEANWHILE = 'Another request has just deleted a list or channel of the notification.';

const WARNINGS = {
  'Unknown-Fields': {
    description:
      'The first 20 fields of `user`, `event` and `organization` in the templates that do not exist, such as `user.firstname`, with commas between them. They are always empty.',
    schema: { type: 'string' as const },
  },
  'Unreached-Steps': {
    description:
      'The numbers of the steps with `to` that tell nobody over one of their channels, as things are now, with commas between them: nobody is meant, or nobody of them is active and has an address. Simulate has them among its warnings, as `unreached_step`.',
    schema: { type: 'string' as const },
  },
};
const MAX_NAMED = 20;

@ApiTags('Notifications')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/n')
export class NotificationController {
  constructor(private readonly notifications: NotificationService) {}

  /** List the notifications of the event, with their templates. */
  @Get()
  @RequirePermission(Permission.NotificationRead)
  @AnswersList(NotificationDto, 'The notifications, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.notifications.list(scope, page);
  }

  /**
   * Create a notification.
   *
   * @remarks It applies to later triggers. Occurrences that were triggered before keep their rules.
   */
  @Post()
  @BodyLimitKb(NOTIFICATION_LIMIT_KB)
  @RequirePermission(Permission.NotificationWrite)
  @ApiConflictResponse({ description: DELETED_MEANWHILE })
  @Spends('storage')
  @ApiResponse({ status: 201, type: NotificationDto, headers: WARNINGS })
  create(
    @CurrentScope() scope: Scope,
    @Body() body: CreateNotificationDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NotificationDto> {
    return this.notifications.create(scope, body, (header, names) => warn(response, header, names));
  }

  /** Retrieve a notification. */
  @Get(':notification')
  @AnswersEtag()
  @RequirePermission(Permission.NotificationRead)
  get(@CurrentScope() scope: Scope): Promise<NotificationDto> {
    return this.notifications.get(scope);
  }

  /**
   * Update a notification. Fields that you leave out keep their values; `distribution_lists` and `templates` are replaced as a whole.
   *
   * @remarks It applies to later triggers. Occurrences that were triggered before keep their rules.
   */
  @Patch(':notification')
  @ChecksEtag()
  @BodyLimitKb(NOTIFICATION_LIMIT_KB)
  @RequirePermission(Permission.NotificationWrite)
  @ApiConflictResponse({
    description: `${DELETED_MEANWHILE} Or: the organization has used up a quota; the answer names it.`,
  })
  @ApiResponse({ status: 200, type: NotificationDto, headers: WARNINGS })
  update(
    @CurrentScope() scope: Scope,
    @Body() body: UpdateNotificationDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NotificationDto> {
    return this.notifications.update(scope, body, (header, names) => warn(response, header, names));
  }

  /**
   * Send the open digests of a notification now.
   *
   * @remarks A digest gathers the messages of the notification to one user. Messages that are triggered afterwards open a new one.
   */
  @Post(':notification/flush')
  @HttpCode(200)
  @RequirePermission(Permission.NotificationWrite)
  flush(@CurrentScope() scope: Scope): Promise<FlushedDto> {
    return this.notifications.flush(scope);
  }

  /** Delete a notification. */
  @Delete(':notification')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.NotificationWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.notifications.remove(scope);
  }
}

function warn(response: Response, header: keyof typeof WARNINGS, names: string[]): void {
  if (names.length === 0) return;
  response.setHeader(header, names.slice(0, MAX_NAMED).map(encodeURIComponent).join(','));
}
