import { Module } from '@nestjs/common';
import { EventModule } from '../event/event.module.js';
import { RunSchedules } from './run-schedules.js';
import { ScheduleController } from './schedule.controller.js';
import { ScheduleService } from './schedule.service.js';

@Module({ imports: [EventModule], controllers: [ScheduleController], providers: [ScheduleService, RunSchedules] })
export class ScheduleModule {}
