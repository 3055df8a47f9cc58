import { Module } from '@nestjs/common';
import { NotificationController } from './notification.controller.js';
import { NotificationService } from './notification.service.js';

@Module({ controllers: [NotificationController], providers: [NotificationService] })
export class NotificationModule {}
