import { Module } from '@nestjs/common';
import { RenderModule } from '../../../rules/render/render.module.js';
import { ProvisioningModule } from '../provisioning.module.js';
import { ConfigurationController } from './configuration.controller.js';
import { ConfigurationService } from './configuration.service.js';

/** Above the nouns of `api/`, because it writes all of them. */
@Module({
  imports: [ProvisioningModule, RenderModule],
  controllers: [ConfigurationController],
  providers: [ConfigurationService],
})
export class ConfigurationModule {}
