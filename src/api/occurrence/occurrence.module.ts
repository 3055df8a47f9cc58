import { Module } from '@nestjs/common';
import { AcknowledgeService } from './acknowledge/acknowledge.service.js';
import { EventOccurrenceController, OrganizationOccurrenceController } from './event-occurrence.controller.js';
import { OccurrenceStore } from './occurrence-store.js';
import { OccurrenceController } from './occurrence.controller.js';
import { OccurrenceService } from './occurrence.service.js';
import { ResolveThreads } from './resolve/resolve-threads.js';

@Module({
  controllers: [EventOccurrenceController, OrganizationOccurrenceController, OccurrenceController],
  providers: [OccurrenceStore, OccurrenceService, AcknowledgeService, ResolveThreads],
  exports: [OccurrenceStore, AcknowledgeService, ResolveThreads],
})
export class OccurrenceModule {}
