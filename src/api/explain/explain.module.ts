import { Module } from '@nestjs/common';
import { NotificationModule } from '../notification/notification.module.js';
import { Explain } from './explain.js';
import { ExplainController } from './explain.controller.js';

@Module({ imports: [NotificationModule], controllers: [ExplainController], providers: [Explain] })
export class ExplainModule {}
