import { Module } from '@nestjs/common';
import { ExportService } from './export/export.service.js';
import { ImportService } from './user-files/import.service.js';
import { ProvisioningService } from './provisioning.service.js';

@Module({
  providers: [ExportService, ImportService, ProvisioningService],
  exports: [ExportService, ImportService, ProvisioningService],
})
export class ProvisioningModule {}
