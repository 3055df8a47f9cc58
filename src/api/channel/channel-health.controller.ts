import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { ChannelHealthDto } from './channel-health.dto.js';
import { ChannelHealthService } from './channel-health.service.js';

@ApiTags('Channels')
@Controller('api/o/:org/channel-health')
export class ChannelHealthController {
  constructor(private readonly health: ChannelHealthService) {}

  /**
   * List all channels of the organization and its projects, and whether their providers work.
   *
   * @remarks A key that is bound to a project or an application sees the channels of the organization and of its project.
   */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ChannelHealthDto, 'The channels, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.health.list(scope, page);
  }
}
