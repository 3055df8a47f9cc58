import { Module } from '@nestjs/common';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { EventController } from './event.controller.js';
import { EventService } from './event.service.js';
import { IdempotencyPurge } from './idempotency-purge.js';
import { TriggerInput } from './trigger-input.js';
import { TriggerService } from './trigger.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [EventController],
  providers: [EventService, TriggerInput, TriggerService, IdempotencyPurge],
})
export class EventModule {}
