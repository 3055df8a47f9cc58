import { Module } from '@nestjs/common';
import {
  ApplicationController,
  ChannelController,
  OrganizationController,
  ProjectController,
} from './org.controller.js';
import { OrgService } from './org.service.js';

@Module({
  controllers: [OrganizationController, ProjectController, ChannelController, ApplicationController],
  providers: [OrgService],
})
export class OrgModule {}
