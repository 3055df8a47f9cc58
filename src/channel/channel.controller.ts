import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { ChannelDto } from './channel.dto.js';
import { ChannelService } from './channel.service.js';

@ApiTags('Channels')
@Controller('api/o/:org')
export class ChannelController {
  constructor(private readonly channels: ChannelService) {}

  /** List the organization's channels. */
  @Get('c')
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ChannelDto, "The organization's own channels, ordered by slug.")
  listOfOrganization(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.channels.list(scope, page);
  }

  /** List the project's channels. */
  @Get('p/:prj/c')
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ChannelDto, "The project's channels, ordered by slug.")
  listOfProject(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.channels.list(scope, page);
  }
}
