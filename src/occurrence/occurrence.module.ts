import { Module } from '@nestjs/common';
import { Explain } from '../pipeline/explain.js';
import { ExplainController } from './explain.controller.js';
import { OccurrenceStore } from './occurrence-store.js';

@Module({
  controllers: [ExplainController],
  providers: [OccurrenceStore, Explain],
  exports: [OccurrenceStore],
})
export class OccurrenceModule {}
