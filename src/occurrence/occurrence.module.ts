import { Module } from '@nestjs/common';
import { OccurrenceStore } from './occurrence-store.js';

@Module({ providers: [OccurrenceStore], exports: [OccurrenceStore] })
export class OccurrenceModule {}
