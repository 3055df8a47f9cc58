import { Module } from '@nestjs/common';
import { Explain } from './explain.js';
import { ExplainController } from './explain.controller.js';

@Module({ controllers: [ExplainController], providers: [Explain] })
export class ExplainModule {}
