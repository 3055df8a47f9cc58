import { Module } from '@nestjs/common';
import { TrialRenderer } from './trial-renderer.js';

@Module({ providers: [TrialRenderer], exports: [TrialRenderer] })
export class RenderModule {}
