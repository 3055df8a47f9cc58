import { Module } from '@nestjs/common';
import { RenderModule } from '../../rules/render/render.module.js';
import { DraftLoader } from './draft-loader.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { SharedDrafts } from './shared-drafts.js';

@Module({
  imports: [RenderModule],
  controllers: [PreviewController],
  providers: [PreviewService, DraftLoader, SharedDrafts],
})
export class PreviewModule {}
