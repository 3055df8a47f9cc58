import { Module } from '@nestjs/common';
import { Explain } from '../pipeline/explain.js';
import { DeliveryService } from './delivery.service.js';
import { EventOccurrenceController } from './event-occurrence.controller.js';
import { ExplainController } from './explain.controller.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceController } from './occurrence.controller.js';
import { OccurrenceService } from './occurrence.service.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';
import { SteerController } from './steer.controller.js';
import { SteerService } from './steer.service.js';

@Module({
  controllers: [
    EventOccurrenceController,
    OccurrenceController,
    ExplainController,
    ProgressController,
    SteerController,
  ],
  providers: [OccurrenceStore, OccurrenceService, DeliveryService, Explain, ProgressService, SteerService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
