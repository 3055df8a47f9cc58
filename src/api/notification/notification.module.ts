import { Module } from '@nestjs/common';
import { RenderModule } from '../../rules/render/render.module.js';
import { NotificationChanges } from './notification-changes.js';
import { NotificationController } from './notification.controller.js';
import { NotificationService } from './notification.service.js';
import { UnreachedSteps } from './step/unreached-steps.js';

@Module({
  imports: [RenderModule],
  controllers: [NotificationController],
  providers: [NotificationService, NotificationChanges, UnreachedSteps],
  exports: [NotificationChanges, UnreachedSteps],
})
export class NotificationModule {}
