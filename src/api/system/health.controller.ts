import { Controller, Get, Res } from '@nestjs/common';
import { ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PublicOperation } from '../../auth/require-permission.decorator.js';
import { HealthService } from './health.service.js';
import { HealthDto } from './system.dto.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Check that the process runs. */
  @Get('live')
  @PublicOperation()
  checkLiveness(): HealthDto {
    return { status: 'ok', checks: {} };
  }

  /** Check that the process can serve: the database is reachable and its migrations are applied. Answers 503 otherwise. */
  @Get('ready')
  @PublicOperation()
  @ApiServiceUnavailableResponse({ type: HealthDto, description: 'The process cannot serve now; `checks` says why.' })
  async checkReadiness(@Res({ passthrough: true }) response: Response): Promise<HealthDto> {
    const checks = await this.health.check();
    const ok = Object.values(checks).every((check) => check === 'ok');
    if (!ok) response.status(503);
    return { status: ok ? 'ok' : 'unavailable', checks };
  }
}
