import { ApiProperty } from '@nestjs/swagger';
import { PERMISSIONS } from '../../auth/permission.js';
import type { Permission } from '../../auth/permission.js';
import { ROLES, ROLE_NAMES } from '../../auth/role/role.js';
import type { Role } from '../../auth/role/role.js';

/** A set of permissions with a name. */
export class RoleDto {
  /**
   * Each role has all permissions of the one before it.
   * @example 'viewer'
   */
  @ApiProperty({ enum: ROLE_NAMES })
  name: Role;

  /** @example ['system:ping', 'organization:read'] */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  permissions: Permission[];

  static of(name: Role): RoleDto {
    return { name, permissions: [...ROLES[name]] };
  }
}
