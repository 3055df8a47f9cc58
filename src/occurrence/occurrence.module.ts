import { Module } from '@nestjs/common';
import { DeliveryService } from './delivery.service.js';
import { EventOccurrenceController } from './event-occurrence.controller.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceController } from './occurrence.controller.js';
import { OccurrenceService } from './occurrence.service.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';
import { SteerController } from './steer.controller.js';
import { SteerService } from './steer.service.js';

@Module({
  controllers: [EventOccurrenceController, OccurrenceController, ProgressController, SteerController],
  providers: [OccurrenceStore, OccurrenceService, DeliveryService, ProgressService, SteerService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
