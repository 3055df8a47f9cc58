import { Module } from '@nestjs/common';
import { ChannelTestService } from './channel-test.service.js';
import { OrganizationChannelController, ProjectChannelController } from './channel.controller.js';
import { ChannelService } from './channel.service.js';
import { DispatcherController } from './dispatcher.controller.js';

@Module({
  controllers: [OrganizationChannelController, ProjectChannelController, DispatcherController],
  providers: [ChannelService, ChannelTestService],
})
export class ChannelModule {}
