import { Module } from '@nestjs/common';
import { EventOccurrenceController } from './event-occurrence.controller.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceController } from './occurrence.controller.js';
import { OccurrenceService } from './occurrence.service.js';
import { SteerController } from './steer.controller.js';
import { SteerService } from './steer.service.js';

@Module({
  controllers: [EventOccurrenceController, OccurrenceController, SteerController],
  providers: [OccurrenceStore, OccurrenceService, SteerService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
