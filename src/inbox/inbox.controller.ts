import { Controller, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { AnswersEvents } from '../http/stream/answers-events.decorator.js';
import { InboxFeed } from './inbox-feed.js';
import { InboxMessageDto } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';

@ApiTags('Inbox')
@Controller('api/o/:org/u/:username/inbox')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly feed: InboxFeed,
  ) {}

  /** List the user's in-app messages. */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(InboxMessageDto, 'The messages, newest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.inbox.list(scope, page);
  }

  /**
   * Follow the user's in-app messages as they come.
   *
   * @remarks Server-sent events: each new message is an event `message` with its id, and itself as `data`. They come in the
   * order of their ids. With `Last-Event-ID` those after it come first; without it the stream starts now. No message is left
   * out and none comes twice, also over several streams, when each goes on from the last id. A stream ends after five minutes
   * at most, and after 1,000 messages that had been waiting: ask again, as browsers do by themselves.
   */
  @Get('stream')
  @RequirePermission(Permission.UserRead)
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The last `id` that was received.',
    schema: { type: 'integer', minimum: 0 },
  })
  @AnswersEvents(InboxMessageDto, 'Events; the `data` of each is a message.')
  stream(
    @CurrentScope() scope: Scope,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return this.feed.open(scope, lastEventId, response);
  }

  /** Mark a message as read. */
  @Post(':message/read')
  @HttpCode(200)
  @RequirePermission(Permission.UserWrite)
  markRead(@CurrentScope() scope: Scope): Promise<InboxMessageDto> {
    return this.inbox.markRead(scope);
  }
}
