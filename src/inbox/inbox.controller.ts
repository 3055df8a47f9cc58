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

  /**
   * List the user's in-app messages.
   *
   * @remarks A key that is bound to a project or an application gets only the messages of its events, here and in the stream.
   */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(InboxMessageDto, 'The messages, newest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.inbox.list(scope, page);
  }

  /**
   * Follow the user's new in-app messages.
   *
   * @remarks Server-sent events: each new message is an event `message` with the message's id and the message as `data`, in the order
   * of the ids. With `Last-Event-ID` the stream starts after that id; without it, it starts now. A client that always continues from
   * its last id misses no message and gets none twice. A stream ends after five minutes at most, and after 1,000 messages that were
   * already waiting: connect again, as browsers do.
   */
  @Get('stream')
  @RequirePermission(Permission.UserRead)
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The last `id` that the client received.',
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

  /**
   * Mark a message as read.
   *
   * @remarks A key that is bound to a project or an application can mark only the messages of its events.
   */
  @Post(':message/read')
  @HttpCode(200)
  @RequirePermission(Permission.UserWrite)
  markRead(@CurrentScope() scope: Scope): Promise<InboxMessageDto> {
    return this.inbox.markRead(scope);
  }
}
