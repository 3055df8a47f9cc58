import { Module } from '@nestjs/common';
import { ProviderReports } from '../../engine/provider-report/provider-reports.js';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { Answers } from './answer/answers.js';
import { BounceIntake } from './bounce-intake.js';
import { ProviderReportController, TwilioReportController } from './provider-report.controller.js';
import { ProviderReportService } from './provider-report.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [ProviderReportController, TwilioReportController],
  providers: [ProviderReportService, Answers, ProviderReports, BounceIntake],
})
export class ProviderReportModule {}
