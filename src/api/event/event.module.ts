import { Module } from '@nestjs/common';
import { AttachmentModule } from '../attachment/attachment.module.js';
import { ContextSchemaModule } from '../context-schema/context-schema.module.js';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { EventController } from './event.controller.js';
import { EventService } from './event.service.js';
import { TriggerInput } from './trigger-input.js';
import { TriggerController } from './trigger.controller.js';
import { TriggerService } from './trigger.service.js';

@Module({
  imports: [AttachmentModule, ContextSchemaModule, OccurrenceModule],
  controllers: [EventController, TriggerController],
  providers: [EventService, TriggerInput, TriggerService],
  exports: [TriggerInput, TriggerService],
})
export class EventModule {}
