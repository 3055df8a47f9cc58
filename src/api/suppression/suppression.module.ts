import { Module } from '@nestjs/common';
import { SuppressionController } from './suppression.controller.js';
import { SuppressionService } from './suppression.service.js';
import { TwilioController } from './twilio.controller.js';
import { TwilioService } from './twilio.service.js';

@Module({
  controllers: [SuppressionController, TwilioController],
  providers: [SuppressionService, TwilioService],
})
export class SuppressionModule {}
