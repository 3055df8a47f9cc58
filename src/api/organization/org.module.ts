import { Module } from '@nestjs/common';
import { ApplicationController } from '../application/application.controller.js';
import { ApplicationService } from '../application/application.service.js';
import { OrganizationController } from './organization.controller.js';
import { OrganizationService } from './organization.service.js';
import { ProjectController } from '../project/project.controller.js';
import { ProjectService } from '../project/project.service.js';
import { QuotaController } from '../quota/quota.controller.js';
import { QuotaService } from '../quota/quota.service.js';

@Module({
  controllers: [OrganizationController, ProjectController, ApplicationController, QuotaController],
  providers: [OrganizationService, ProjectService, ApplicationService, QuotaService],
})
export class OrgModule {}
