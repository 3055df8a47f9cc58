import { Module } from '@nestjs/common';
import { ChannelTestService } from './channel-test.service.js';
import { ChannelController } from './channel.controller.js';
import { ChannelService } from './channel.service.js';
import { DispatcherController } from './dispatcher.controller.js';
import { OrganizationChannelController } from './organization-channel.controller.js';
import { ProjectChannelController } from './project-channel.controller.js';

@Module({
  controllers: [ChannelController, OrganizationChannelController, ProjectChannelController, DispatcherController],
  providers: [ChannelService, ChannelTestService],
})
export class ChannelModule {}
