import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ChannelTestService } from './channel-test.service.js';
import {
  ChannelSettingsDto,
  CreateChannelDto,
  TestChannelDto,
  TestedChannelDto,
  UpdateChannelDto,
} from './channel.dto.js';
import { ChannelService } from './channel.service.js';

@ApiTags('Channels')
@Controller('api/o/:org/c')
export class OrganizationChannelController {
  constructor(
    private readonly channels: ChannelService,
    private readonly tests: ChannelTestService,
  ) {}

  /** Create a channel of the organization. */
  @Post()
  @RequirePermission(Permission.ChannelWrite, 'organization')
  create(@CurrentScope() scope: Scope, @Body() body: CreateChannelDto): Promise<ChannelSettingsDto> {
    return this.channels.create(scope, body);
  }

  /** Retrieve a channel of the organization, with its settings. */
  @Get(':channel')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<ChannelSettingsDto> {
    return this.channels.get(scope);
  }

  /**
   * Update a channel of the organization.
   *
   * @remarks What is left out stays; of `config` all is replaced, but a masked secret stays what it was. What waits goes out with the new
   * settings.
   */
  @Patch(':channel')
  @RequirePermission(Permission.ChannelWrite, 'organization')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateChannelDto): Promise<ChannelSettingsDto> {
    return this.channels.update(scope, body);
  }

  /** Delete a channel of the organization. */
  @Delete(':channel')
  @HttpCode(204)
  @RequirePermission(Permission.ChannelWrite, 'organization')
  @ApiConflictResponse({ description: 'A notification, a member or another channel uses it; the answer names them.' })
  delete(@CurrentScope() scope: Scope): Promise<void> {
    return this.channels.remove(scope);
  }

  /** Send one message over a channel of the organization, and answer what its provider said. */
  @Post(':channel/test')
  @HttpCode(200)
  @RequirePermission(Permission.ChannelWrite, 'organization')
  @ApiConflictResponse({ description: 'Its secrets can no longer be read.' })
  test(@CurrentScope() scope: Scope, @Body() body: TestChannelDto): Promise<TestedChannelDto> {
    return this.tests.test(scope, body);
  }
}
