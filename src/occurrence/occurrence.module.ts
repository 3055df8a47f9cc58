import { Module } from '@nestjs/common';
import { OccurrenceStore } from './occurrence-store.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';

@Module({
  controllers: [ProgressController],
  providers: [OccurrenceStore, ProgressService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
