import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { TRIGGER_EXAMPLES } from '../event/trigger.dto.js';
import { BodyLimitKb, DEFAULT_LIMIT_KB } from '../../platform/http/body/json-body.guard.js';
import { NOTIFICATION_LIMIT_KB } from '../notification/notification.dto.js';
import { SimulateDto, SimulationDto } from './simulate.dto.js';
import { SimulateService } from './simulate.service.js';

const SIMULATE_EXAMPLES = {
  ...TRIGGER_EXAMPLES,
  draft: {
    summary: 'With another condition of the rule 1',
    value: { context: { order: 'A-17', total: 120 }, notification: { id: 1, when: 'total > `100`' } },
  },
};

@ApiTags('Events')
@Controller('api/o/:org/p/:prj/a/:app/e/:evt/simulate')
export class SimulateController {
  constructor(private readonly simulations: SimulateService) {}

  /**
   * Simulate a trigger of the event: who would be sent which message. It stores nothing and sends nothing.
   *
   * @remarks It refuses what a trigger would refuse. It reads users and notifications as they are now. Without the permission `user:read`
   * it shows only numbers: `messages` is empty, and templates are not rendered.
   *
   * With `notification`, it uses this draft of a rule. The draft is refused for the same reasons as a change of the rule, and is not stored. It
   * also needs the permission `notification:write`.
   */
  @Post()
  @HttpCode(200)
  @BodyLimitKb(DEFAULT_LIMIT_KB + NOTIFICATION_LIMIT_KB)
  @RequirePermission(Permission.EventTrigger, undefined, 'own')
  @ApiBody({ type: SimulateDto, required: false, examples: SIMULATE_EXAMPLES })
  @ApiConflictResponse({
    description:
      'The draft exceeds a quota of the organization, or another request has just deleted its list or channel.',
  })
  simulate(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SimulationDto> {
    return this.simulations.simulate(scope, body, response);
  }
}
