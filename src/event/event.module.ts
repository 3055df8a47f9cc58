import { Module } from '@nestjs/common';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { Simulate } from '../pipeline/simulate.js';
import { TrialRenderer } from '../pipeline/trial-renderer.js';
import { ContextSchemaController } from './context-schema.controller.js';
import { ContextSchemaService } from './context-schema.service.js';
import { EventSettingsController } from './event-settings.controller.js';
import { EventSettingsService } from './event-settings.service.js';
import { EventController } from './event.controller.js';
import { EventService } from './event.service.js';
import { NotificationController } from './notification.controller.js';
import { NotificationService } from './notification.service.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { SimulateController } from './simulate.controller.js';
import { SimulateService } from './simulate.service.js';
import { TriggerInput } from './trigger-input.js';
import { TriggerService } from './trigger.service.js';

@Module({
  imports: [OccurrenceModule],
  controllers: [
    EventController,
    EventSettingsController,
    NotificationController,
    SimulateController,
    PreviewController,
    ContextSchemaController,
  ],
  providers: [
    EventService,
    EventSettingsService,
    NotificationService,
    TriggerInput,
    TriggerService,
    ContextSchemaService,
    TrialRenderer,
    Simulate,
    SimulateService,
    PreviewService,
  ],
})
export class EventModule {}
