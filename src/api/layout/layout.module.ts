import { Module } from '@nestjs/common';
import { RenderModule } from '../../rules/render/render.module.js';
import {
  OrganizationLayoutController,
  OrganizationPartialController,
  ProjectLayoutController,
  ProjectPartialController,
} from './layout.controller.js';
import { LayoutService } from './layout.service.js';

@Module({
  imports: [RenderModule],
  controllers: [
    OrganizationLayoutController,
    ProjectLayoutController,
    OrganizationPartialController,
    ProjectPartialController,
  ],
  providers: [LayoutService],
})
export class LayoutModule {}
