import { Module } from '@nestjs/common';
import { RenderModule } from '../../rules/render/render.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { DraftLoader } from './draft-loader.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { TemplateTestService } from './template-test.service.js';
import { SharedDrafts } from './shared-drafts.js';

@Module({
  imports: [RenderModule, ChannelModule],
  controllers: [PreviewController],
  providers: [PreviewService, TemplateTestService, DraftLoader, SharedDrafts],
})
export class PreviewModule {}
