import { Module } from '@nestjs/common';
import { SummaryController } from './summary.controller.js';
import { SummaryService } from './summary.service.js';
import { WaitingWork } from './waiting-work.js';

@Module({ controllers: [SummaryController], providers: [SummaryService, WaitingWork] })
export class SummaryModule {}
