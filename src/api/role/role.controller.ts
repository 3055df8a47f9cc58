import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { ROLE_NAMES } from '../../auth/role/role.js';
import { RoleDto } from './role.dto.js';

@ApiTags('API keys')
@Controller('api/roles')
export class RoleController {
  /** List the built-in roles, and the permissions of each. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @ApiOkResponse({ description: 'The roles, from the fewest permissions to all.', type: RoleDto, isArray: true })
  list(): RoleDto[] {
    return ROLE_NAMES.map(RoleDto.of);
  }
}
