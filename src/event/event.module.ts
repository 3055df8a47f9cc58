import { Module } from '@nestjs/common';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { EventController } from './event.controller.js';
import { EventService } from './event.service.js';
import { TriggerService } from './trigger.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [EventController],
  providers: [EventService, TriggerService],
})
export class EventModule {}
