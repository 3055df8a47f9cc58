import { Body, Controller, Delete, Get, HttpCode, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { PutScheduleDto, ScheduleDto, UpdateScheduleDto } from './schedule.dto.js';
import { ScheduleService } from './schedule.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/schedule')
export class ScheduleController {
  constructor(private readonly schedules: ScheduleService) {}

  /** Retrieve the schedule of an event, with its next and its last runs. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<ScheduleDto> {
    return this.schedules.get(scope);
  }

  /**
   * Set the schedule of an event. It is replaced as a whole.
   *
   * @remarks It also needs the permission `event:trigger`, and for the priority `critical` the permission `event:trigger-critical`.
   */
  @Put()
  @ChecksEtag()
  @RequirePermission(Permission.EventWrite)
  @Spends('storage')
  put(@CurrentScope() scope: Scope, @Body() body: PutScheduleDto): Promise<ScheduleDto> {
    return this.schedules.put(scope, body);
  }

  /**
   * Pause or resume the schedule of an event.
   *
   * @remarks To resume it needs the same permissions as to set it.
   */
  @Patch()
  @ChecksEtag()
  @RequirePermission(Permission.EventWrite)
  update(@CurrentScope() scope: Scope, @Body() body: UpdateScheduleDto): Promise<ScheduleDto> {
    return this.schedules.update(scope, body);
  }

  /** Delete the schedule of an event. */
  @Delete()
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.EventWrite)
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.schedules.remove(scope);
  }
}
