import { Module } from '@nestjs/common';
import { TestSender } from '../../engine/test-message/test-sender.js';
import { ChannelHealthController } from './channel-health.controller.js';
import { ChannelHealthService } from './channel-health.service.js';
import { ChannelWaitingService } from './channel-waiting.service.js';
import { ChannelTestService } from './channel-test.service.js';
import { OrganizationChannelController, ProjectChannelController } from './channel.controller.js';
import { ChannelService } from './channel.service.js';
import { ChannelCheckService } from './check/channel-check.service.js';
import { ChannelDomainsService } from './domain/channel-domains.service.js';
import { DispatcherController } from './dispatcher.controller.js';

@Module({
  controllers: [OrganizationChannelController, ProjectChannelController, ChannelHealthController, DispatcherController],
  providers: [
    ChannelService,
    ChannelHealthService,
    ChannelTestService,
    ChannelCheckService,
    ChannelWaitingService,
    ChannelDomainsService,
    TestSender,
  ],
  exports: [TestSender],
})
export class ChannelModule {}
