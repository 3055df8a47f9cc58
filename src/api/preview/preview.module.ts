import { Module } from '@nestjs/common';
import { RenderModule } from '../../rules/render/render.module.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';

@Module({ imports: [RenderModule], controllers: [PreviewController], providers: [PreviewService] })
export class PreviewModule {}
