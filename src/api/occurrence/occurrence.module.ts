import { Module } from '@nestjs/common';
import { AcknowledgeService } from './acknowledge/acknowledge.service.js';
import { EventOccurrenceController, OrganizationOccurrenceController } from './event-occurrence.controller.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceController } from './occurrence.controller.js';
import { OccurrenceService } from './occurrence.service.js';

@Module({
  controllers: [EventOccurrenceController, OrganizationOccurrenceController, OccurrenceController],
  providers: [OccurrenceStore, OccurrenceService, AcknowledgeService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
