import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { TRIGGER_EXAMPLES } from '../event/trigger.dto.js';
import { SimulateDto, SimulationDto } from './simulate.dto.js';
import { SimulateService } from './simulate.service.js';

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/simulate')
export class SimulateController {
  constructor(private readonly simulations: SimulateService) {}

  /**
   * Simulate a trigger of the event: who would be sent which message. It stores nothing and sends nothing.
   *
   * @remarks It refuses what a trigger would refuse. It uses people and notifications as they are now. Without the permission `user:read`
   * it shows only numbers: `messages` is empty, and templates are not rendered.
   */
  @Post()
  @HttpCode(200)
  @RequirePermission(Permission.EventTrigger, undefined, 'own')
  @ApiBody({ type: SimulateDto, required: false, examples: TRIGGER_EXAMPLES })
  simulate(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SimulationDto> {
    return this.simulations.simulate(scope, body, response);
  }
}
