import { Module } from '@nestjs/common';
import { ApplicationController } from './application.controller.js';
import { ApplicationService } from './application.service.js';
import { OrganizationController } from './organization.controller.js';
import { OrganizationService } from './organization.service.js';
import { ProjectController } from './project.controller.js';
import { ProjectService } from './project.service.js';
import { QuotaController } from './quota.controller.js';
import { QuotaService } from './quota.service.js';
import { SlugWriter } from './slug-writer.js';

@Module({
  controllers: [OrganizationController, ProjectController, ApplicationController, QuotaController],
  providers: [OrganizationService, ProjectService, ApplicationService, QuotaService, SlugWriter],
  exports: [SlugWriter],
})
export class OrgModule {}
