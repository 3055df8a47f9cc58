import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ApiKeyModule } from './api-key/api-key.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BodyPipe } from './common/body.pipe.js';
import { ChannelModule } from './channel/channel.module.js';
import { EventStreamModule } from './common/event-stream.module.js';
import { ProblemFilter } from './common/problem.filter.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { DistributionListModule } from './distribution-list/distribution-list.module.js';
import { EventModule } from './event/event.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { OccurrenceModule } from './occurrence/occurrence.module.js';
import { OrgModule } from './org/org.module.js';
import { PipelineModule } from './pipeline/pipeline.module.js';
import { PrismaModule } from './prisma/prisma.module.js';
import { ProvisioningModule } from './provisioning/provisioning.module.js';
import { SystemModule } from './system/system.module.js';
import { UserModule } from './user/user.module.js';
import { WatchModule } from './watch/watch.module.js';

const API = [
  EventStreamModule,
  OrgModule,
  ChannelModule,
  UserModule,
  InboxModule,
  DistributionListModule,
  EventModule,
  OccurrenceModule,
  ApiKeyModule,
  AuditModule,
  ProvisioningModule,
];

@Module({})
export class AppModule {
  static with(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        PrismaModule.with(databaseUrl),
        WatchModule,
        AuthModule,
        DispatcherModule,
        SystemModule.with(config.role),
        ...(config.role === 'worker' ? [] : API),
        ...(config.role === 'api' ? [] : [PipelineModule]),
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: BodyPipe },
      ],
    };
  }
}
