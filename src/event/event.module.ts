import { Module } from '@nestjs/common';
import { EventController } from './event.controller.js';
import { EventService } from './event.service.js';
import { IdempotencyPurge } from './idempotency-purge.js';
import { OccurrenceStore } from './occurrence-store.js';
import { TriggerService } from './trigger.service.js';

@Module({
  controllers: [EventController],
  providers: [EventService, TriggerService, OccurrenceStore, IdempotencyPurge],
})
export class EventModule {}
