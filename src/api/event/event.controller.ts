import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CreateEventDto, EventDto, EventSettingsDto, UpdateEventDto } from './event.dto.js';
import { EventService } from './event.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e')
export class EventController {
  constructor(private readonly events: EventService) {}

  /** List the application's events. */
  @Get()
  @RequirePermission(Permission.EventList)
  @AnswersList(EventDto, 'The events, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.events.list(scope, page);
  }

  /** Create an event. */
  @Post()
  @RequirePermission(Permission.EventWrite)
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateEventDto): Promise<EventSettingsDto> {
    return this.events.create(scope, body);
  }

  /** Retrieve an event with its settings. */
  @Get(':evt')
  @AnswersEtag()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<EventSettingsDto> {
    return this.events.get(scope);
  }

  /** Update an event. */
  @Patch(':evt')
  @ChecksEtag()
  @RequirePermission(Permission.EventWrite)
  update(@CurrentScope() scope: Scope, @Body() body: UpdateEventDto): Promise<EventSettingsDto> {
    return this.events.update(scope, body);
  }

  /** Delete an event with its notifications and occurrences. */
  @Delete(':evt')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.EventWrite)
  @ApiConflictResponse({ description: 'An occurrence of the event is not finished; the answer names it.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.events.remove(scope);
  }
}
