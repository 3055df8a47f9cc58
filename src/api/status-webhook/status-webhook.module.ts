import { Module } from '@nestjs/common';
import { StatusWebhookController } from './status-webhook.controller.js';
import { StatusWebhookService } from './status-webhook.service.js';

@Module({ controllers: [StatusWebhookController], providers: [StatusWebhookService] })
export class StatusWebhookModule {}
