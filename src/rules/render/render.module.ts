import { Module } from '@nestjs/common';
import { TemplateInspector } from './template-inspector.js';
import { TrialRenderer } from './trial-renderer.js';

@Module({ providers: [TrialRenderer, TemplateInspector], exports: [TrialRenderer, TemplateInspector] })
export class RenderModule {}
