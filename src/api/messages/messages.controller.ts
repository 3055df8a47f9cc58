import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { MessagesDto, PutMessagesDto } from './messages.dto.js';
import { MessagesService } from './messages.service.js';

const LIMIT_KB = 2048;

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  /** Retrieve the project's messages, in all languages. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<MessagesDto> {
    return this.messages.get(scope);
  }

  /**
   * Replace the project's messages, in all languages.
   *
   * @remarks Notifications that use a changed message use the new one for the triggers that follow. A message that a template uses cannot be
   * removed from every language.
   */
  @Put()
  @ChecksEtag()
  @BodyLimitKb(LIMIT_KB)
  @RequirePermission(Permission.EventWrite, 'project')
  @Spends('storage')
  put(@CurrentScope() scope: Scope, @Body() body: PutMessagesDto): Promise<MessagesDto> {
    return this.messages.put(scope, body);
  }
}
