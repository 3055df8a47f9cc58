import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ApiKeyModule } from './api/api-key/api-key.module.js';
import { AuditModule } from './api/audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ForwardingModule } from './cell/forwarding/forwarding.module.js';
import { StreamKeys } from './auth/stream-keys.js';
import { CategoryModule } from './api/category/category.module.js';
import { CellModule } from './cell/cell.module.js';
import { ChannelModule } from './api/channel/channel.module.js';
import type { Config } from './platform/config/config.js';
import { ConfigModule } from './platform/config/config.module.js';
import { ContextSchemaModule } from './api/context-schema/context-schema.module.js';
import { ResourceModule } from './api/resource/resource.module.js';
import { DeliveryModule } from './api/delivery/delivery.module.js';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { DistributionListModule } from './api/distribution-list/distribution-list.module.js';
import { EventModule } from './api/event/event.module.js';
import { ExplainModule } from './api/explain/explain.module.js';
import { BodyPipe } from './platform/http/body/body.pipe.js';
import { ProblemFilter } from './platform/http/problem.filter.js';
import { EventStreamModule } from './platform/http/stream/event-stream.module.js';
import { InboxModule } from './api/inbox/inbox.module.js';
import { LayoutModule } from './api/layout/layout.module.js';
import { NotificationModule } from './api/notification/notification.module.js';
import { OccurrenceModule } from './api/occurrence/occurrence.module.js';
import { OrgModule } from './api/organization/org.module.js';
import { PipelineModule } from './engine/pipeline.module.js';
import { PreferenceModule } from './api/preference/preference.module.js';
import { PreviewModule } from './api/preview/preview.module.js';
import { outageOf } from './platform/database/database-error.js';
import { PrismaModule } from './platform/database/prisma.module.js';
import { ProgressModule } from './api/progress/progress.module.js';
import { ConfigurationModule } from './operate/provisioning/configuration/configuration.module.js';
import { ProvisioningModule } from './operate/provisioning/provisioning.module.js';
import { LogoModule } from './api/logo/logo.module.js';
import { MessagesModule } from './api/messages/messages.module.js';
import { DraftModule } from './api/draft/draft.module.js';
import { ScheduleModule } from './api/schedule/schedule.module.js';
import { SchemaController } from './operate/provisioning/schema.controller.js';
import { RecipientPageModule } from './api/recipient-page/recipient-page.module.js';
import { RecipientTokenModule } from './api/recipient-token/recipient-token.module.js';
import { SecretModule } from './platform/secret/secret.module.js';
import { OrganizationMemberModule } from './api/organization-member/organization-member.module.js';
import { RoleModule } from './api/role/role.module.js';
import { SessionModule } from './api/session/session.module.js';
import { SettingsModule } from './api/settings/settings.module.js';
import { SimulateModule } from './api/simulate/simulate.module.js';
import { StatusWebhookModule } from './api/status-webhook/status-webhook.module.js';
import { RevisionModule } from './api/revision/revision.module.js';
import { FigureModule } from './api/figure/figure.module.js';
import { SummaryModule } from './api/summary/summary.module.js';
import { ProviderReportModule } from './api/provider-report/provider-report.module.js';
import { SuppressionModule } from './api/suppression/suppression.module.js';
import { SystemModule } from './api/system/system.module.js';
import { FileModule } from './engine/file/file.module.js';
import { TokenModule } from './engine/token/token.module.js';
import { UnsubscribeModule } from './engine/unsubscribe/unsubscribe.module.js';
import { UploadModule } from './api/upload/upload.module.js';
import { UserProfileModule } from './api/user-profile/user-profile.module.js';
import { AudienceModule } from './api/audience/audience.module.js';
import { DeviceModule } from './api/device/device.module.js';
import { UserModule } from './api/user/user.module.js';
import { TelemetryModule } from './platform/telemetry/telemetry.module.js';

const API = [
  EventStreamModule,
  ResourceModule,
  OrgModule,
  StatusWebhookModule,
  ChannelModule,
  UserModule,
  UserProfileModule,
  AudienceModule,
  DeviceModule,
  SettingsModule,
  InboxModule,
  LayoutModule,
  DistributionListModule,
  CategoryModule,
  PreferenceModule,
  EventModule,
  MessagesModule,
  ScheduleModule,
  NotificationModule,
  DraftModule,
  SimulateModule,
  PreviewModule,
  ContextSchemaModule,
  OccurrenceModule,
  DeliveryModule,
  FigureModule,
  SummaryModule,
  RevisionModule,
  SuppressionModule,
  ProviderReportModule,
  UploadModule,
  LogoModule,
  RecipientPageModule,
  ExplainModule,
  ProgressModule,
  ApiKeyModule,
  RoleModule,
  OrganizationMemberModule,
  SessionModule,
  RecipientTokenModule,
  AuditModule,
  ProvisioningModule,
  ConfigurationModule,
];

@Module({})
export class AppModule {
  static with(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        SecretModule,
        UnsubscribeModule,
        TokenModule,
        PrismaModule.with(databaseUrl),
        TelemetryModule,
        FileModule,
        ...(config.cell ? [CellModule] : []),
        ...(config.cell && config.role !== 'worker' ? [ForwardingModule] : []),
        AuthModule,
        DispatcherModule,
        SystemModule.with(config.role),
        ...(config.role === 'worker' ? [] : API),
        ...(config.role === 'api' ? [] : [PipelineModule]),
      ],
      // Here and not in the ProvisioningModule, which commands load without the HTTP API.
      controllers: config.role === 'worker' ? [] : [SchemaController],
      providers: [
        { provide: APP_FILTER, useValue: new ProblemFilter(outageOf) },
        { provide: APP_PIPE, useClass: BodyPipe },
        // Here and not in the AuthModule, which workers load without streams.
        ...(config.role === 'worker' ? [] : [StreamKeys]),
      ],
    };
  }
}
