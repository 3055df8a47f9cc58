import { Module } from '@nestjs/common';
import { OccurrenceStore } from './occurrence-store.js';
import { ProgressController } from './progress.controller.js';
import { ProgressService } from './progress.service.js';
import { SteerController } from './steer.controller.js';
import { SteerService } from './steer.service.js';

@Module({
  controllers: [SteerController, ProgressController],
  providers: [OccurrenceStore, SteerService, ProgressService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
