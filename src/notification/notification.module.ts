import { Module } from '@nestjs/common';
import { NotificationChanges } from './notification-changes.js';
import { NotificationController } from './notification.controller.js';
import { NotificationService } from './notification.service.js';

@Module({
  controllers: [NotificationController],
  providers: [NotificationService, NotificationChanges],
  exports: [NotificationChanges],
})
export class NotificationModule {}
