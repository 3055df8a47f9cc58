import { Module } from '@nestjs/common';
import { ApplicationController, OrganizationController, ProjectController } from './org.controller.js';
import { OrgService } from './org.service.js';
import { ApplicationTreeController, OrganizationTreeController, ProjectTreeController } from './tree.controller.js';
import { TreeService } from './tree.service.js';

@Module({
  controllers: [
    OrganizationController,
    ProjectController,
    ApplicationController,
    OrganizationTreeController,
    ProjectTreeController,
    ApplicationTreeController,
  ],
  providers: [OrgService, TreeService],
})
export class OrgModule {}
