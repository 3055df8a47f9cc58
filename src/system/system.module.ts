import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { SystemController } from './system.controller.js';

@Module({ controllers: [SystemController, HealthController, DocsController], providers: [HealthService] })
export class SystemModule {}
