import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { PingDto } from './system.dto.js';

@ApiTags('System')
@Controller('api/system')
export class SystemController {
  /** Check that the API is reachable and the key is valid. */
  @Get('ping')
  @RequirePermission(Permission.SystemPing)
  ping(@CurrentScope() scope: Scope): PingDto {
    return { token: scope.key.name };
  }
}
