import { Body, Controller, Delete, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { OpenToRecipient, RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, anyText, oneOf } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AnswersEvents } from '../../platform/http/stream/answers-events.decorator.js';
import { AcknowledgeMessageDto, AcknowledgementDto } from '../occurrence/acknowledge/acknowledge.dto.js';
import { AcknowledgeService } from '../occurrence/acknowledge/acknowledge.service.js';
import { InboxBrandDto } from './inbox-brand.dto.js';
import { InboxFeed } from './inbox-feed.js';
import {
  INBOX_STATES,
  InboxCountsDto,
  InboxEventDto,
  InboxMessageDto,
  MarkInboxDto,
  MarkedInboxDto,
} from './inbox.dto.js';
import type { InboxState } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';

const CHECKS = { state: oneOf(INBOX_STATES), category: anyText };
const FILTERS = {
  state: {
    description: 'Only messages in this state. Without it, all that are neither archived nor snoozed.',
    schema: { type: 'string', enum: [...INBOX_STATES] },
  },
  category: {
    description: 'Only messages of events with this category: its slug. Combined with `state`.',
    schema: { type: 'string', example: 'news' },
  },
} as const;

const count = (state: string) => ({
  description: `Messages that are neither archived nor snoozed, and not ${state}; 1000 means 1000 or more.`,
  schema: { type: 'integer', minimum: 0, maximum: 1000 },
});
const COUNT_HEADERS = { 'X-Unread-Count': count('read'), 'X-Unseen-Count': count('seen') } as const;

@ApiTags('Inbox')
@Controller('api/o/:org/u/:username/inbox')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly feed: InboxFeed,
    private readonly acknowledgements: AcknowledgeService,
  ) {}

  /**
   * List the user's in-app messages that are neither archived nor snoozed.
   *
   * @remarks A key that is bound to a project or an application gets only the messages of its events, here and in the stream.
   */
  @Get()
  @RequirePermission(Permission.UserRead)
  @OpenToRecipient('inbox')
  @AnswersList(InboxMessageDto, 'The messages, newest first.', FILTERS, COUNT_HEADERS)
  async list(
    @CurrentScope() scope: Scope,
    @CurrentPage() page: Page,
    @CurrentFilter(CHECKS) { state, category }: Filter<typeof CHECKS>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { unread, unseen } = await this.inbox.counts(scope);
    response.set({ 'X-Unread-Count': String(unread), 'X-Unseen-Count': String(unseen) });
    return this.inbox.list(scope, page, { state: state as InboxState | null, category });
  }

  /**
   * Follow the user's new in-app messages.
   *
   * @remarks Server-sent events: each new message is an event `message` with the message's id, and the message and the counts as `data`, in
   * the order in which they were stored. An event `counts` comes first, and whenever messages were marked, by whomever: its `data` is `{ unread, unseen }`. If the
   * organization has a color, a logo or texts for the inbox element, an event `brand` follows the first counts. With `Last-Event-ID` the stream starts after that id; without it, it starts now. A client that always continues from
   * its last id misses no message and gets none twice. A stream ends after five minutes at most, and after 1,000 messages that were
   * already waiting: connect again, as browsers do.
   */
  @Get('stream')
  @RequirePermission(Permission.UserRead)
  @OpenToRecipient('inbox')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The last `id` that the client received.',
    schema: { type: 'integer', minimum: 0 },
  })
  @AnswersEvents(
    'Events; the `data` of each `message` is a message with the counts, that of `counts` the counts, that of `brand` how the organization looks.',
    ...[InboxEventDto, InboxCountsDto, InboxBrandDto],
  )
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
  @OpenToRecipient('inbox')
  markRead(@CurrentScope() scope: Scope): Promise<InboxMessageDto> {
    return this.inbox.markRead(scope);
  }

  /**
   * Mark messages as seen, read, unread, archived or not archived, snooze or delete them.
   *
   * @remarks Marking a message again changes nothing. A snoozed message returns at its time as a new message: unread, with a new id and time. A key that is bound to a project or an application can mark only the messages of its
   * events, and gets their counts.
   */
  @Post('mark')
  @HttpCode(200)
  @RequirePermission(Permission.UserWrite)
  @OpenToRecipient('inbox')
  mark(@CurrentScope() scope: Scope, @Body() body: MarkInboxDto): Promise<MarkedInboxDto> {
    return this.inbox.mark(scope, body);
  }

  /**
   * Acknowledge the occurrence of a message for its user: they take care of it.
   *
   * @remarks With a recipient token only for oneself. The first of a user stays: to acknowledge again changes nothing. A key that is bound to a project or an
   * application can acknowledge only the messages of its events. A message whose occurrence was deleted cannot be acknowledged any more.
   */
  @Post(':message/acknowledge')
  @HttpCode(200)
  @RequirePermission(Permission.OccurrenceWrite)
  @OpenToRecipient('inbox')
  @ApiBody({ type: AcknowledgeMessageDto, required: false })
  async acknowledge(
    @CurrentScope() scope: Scope,
    @Body() { note }: AcknowledgeMessageDto,
  ): Promise<AcknowledgementDto> {
    return this.acknowledgements.answer(scope, await this.inbox.about(scope), note);
  }

  /**
   * Delete a message.
   *
   * @remarks For good, also if it is archived or snoozed. Its delivery and its occurrence stay. A key that is bound to a project or an application
   * can delete only the messages of its events.
   */
  @Delete(':message')
  @HttpCode(204)
  @RequirePermission(Permission.UserWrite)
  @OpenToRecipient('inbox')
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.inbox.remove(scope);
  }
}
