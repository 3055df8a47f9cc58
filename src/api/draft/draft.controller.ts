import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CreateDraftDto, DRAFT_LIMIT_KB, DraftContentDto, DraftDto, PutDraftDto } from './draft.dto.js';
import { DraftService } from './draft.service.js';

const FULL = 'The organization has 1,000 drafts, or has used up a quota.';

@ApiTags('Notifications')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/drafts')
export class DraftController {
  constructor(private readonly drafts: DraftService) {}

  /**
   * List the drafts of the event's notifications, and who saved them.
   *
   * @remarks A draft is deleted with its notification or event, and 90 days after it was saved.
   */
  @Get()
  @RequirePermission(Permission.NotificationRead)
  @AnswersList(DraftDto, 'The drafts without their content, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.drafts.list(scope, page);
  }

  /**
   * Create a draft, unless there is one.
   *
   * @remarks A notification has one draft, which all share who may change it. Nothing of a draft is sent. To publish it, create or update the notification,
   * and delete the draft.
   */
  @Post()
  @AnswersEtag()
  @BodyLimitKb(DRAFT_LIMIT_KB)
  @RequirePermission(Permission.NotificationWrite)
  @ApiConflictResponse({ description: FULL })
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateDraftDto): Promise<DraftContentDto> {
    return this.drafts.create(scope, body);
  }

  /** Retrieve a draft. */
  @Get(':draft')
  @AnswersEtag()
  @RequirePermission(Permission.NotificationRead)
  get(@CurrentScope() scope: Scope): Promise<DraftContentDto> {
    return this.drafts.get(scope);
  }

  /** Save a draft. It is created or replaced as a whole. */
  @Put(':draft')
  @ChecksEtag()
  @BodyLimitKb(DRAFT_LIMIT_KB)
  @RequirePermission(Permission.NotificationWrite)
  @ApiConflictResponse({ description: FULL })
  @Spends('storage')
  put(@CurrentScope() scope: Scope, @Body() body: PutDraftDto): Promise<DraftContentDto> {
    return this.drafts.put(scope, body);
  }

  /** Discard a draft. */
  @Delete(':draft')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.NotificationWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.drafts.remove(scope);
  }
}
