import { Module } from '@nestjs/common';
import { EventModule } from '../event/event.module.js';
import { NotificationModule } from '../notification/notification.module.js';
import { OccurrenceModule } from '../occurrence/occurrence.module.js';
import { RenderModule } from '../../rules/render/render.module.js';
import { Simulate } from './simulate.js';
import { SimulateController } from './simulate.controller.js';
import { SimulateService } from './simulate.service.js';

@Module({
  imports: [EventModule, NotificationModule, OccurrenceModule, RenderModule],
  controllers: [SimulateController],
  providers: [Simulate, SimulateService],
})
export class SimulateModule {}
