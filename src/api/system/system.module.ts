import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { DocsController } from './docs.controller.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { IndexController } from './index.controller.js';
import { SecretKeyCheck } from './secret-key-check.js';
import { SystemController } from './system.controller.js';

/** A worker serves only the health checks. */
@Module({ controllers: [HealthController], providers: [HealthService, SecretKeyCheck] })
export class SystemModule {
  static with(role: Config['role']): DynamicModule {
    return {
      module: SystemModule,
      controllers: role === 'worker' ? [] : [SystemController, DocsController, IndexController],
    };
  }
}
