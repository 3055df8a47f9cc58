import { Module } from '@nestjs/common';
import { OccurrenceStore } from './occurrence-store.js';
import { SteerController } from './steer.controller.js';
import { SteerService } from './steer.service.js';

@Module({
  controllers: [SteerController],
  providers: [OccurrenceStore, SteerService],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
