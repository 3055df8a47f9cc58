import { Module } from '@nestjs/common';
import { ProviderReports } from '../../engine/provider-report/provider-reports.js';
import { BounceIntake } from './bounce-intake.js';
import { ProviderReportController, TwilioReportController } from './provider-report.controller.js';
import { ProviderReportService } from './provider-report.service.js';

@Module({
  controllers: [ProviderReportController, TwilioReportController],
  providers: [ProviderReportService, ProviderReports, BounceIntake],
})
export class ProviderReportModule {}
