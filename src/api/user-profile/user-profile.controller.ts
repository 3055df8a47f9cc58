import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { PutUserProfileDto, UserProfileDto } from './user-profile.dto.js';
import { UserProfileService } from './user-profile.service.js';

/** Custom fields of 256 KB, and thousands of memberships. */
const MAX_PROFILE_KB = 1024;

@ApiTags('Users')
@Controller('api/o/:org/users')
export class UserProfileController {
  constructor(private readonly profiles: UserProfileService) {}

  /**
   * Retrieve a whole user: everything that decides which messages the user gets.
   *
   * @remarks You can send the answer back unchanged. Suppressed addresses are not part of it: they belong to the organization.
   */
  @Get(':email')
  @AnswersEtag()
  @RequirePermission(Permission.UserRead, 'organization')
  get(@CurrentScope() scope: Scope): Promise<UserProfileDto> {
    return this.profiles.get(scope);
  }

  /**
   * Create or replace a whole user.
   *
   * @remarks `first_name`, `last_name` and `custom_fields` are replaced: if you leave them out, they become empty. `locked`, `addresses`, `time_zone`,
   * `quiet_hours`, `memberships` and `preferences` are replaced only if they are in the body. `memberships` also needs the permission
   * `distributionlist:write`, and `preferences` needs `preference:write`. An address that a membership uses can only be removed together with the
   * membership.
   */
  @Put(':email')
  @ChecksEtag()
  @BodyLimitKb(MAX_PROFILE_KB)
  @RequirePermission(Permission.UserWrite, 'organization')
  @Spends('storage')
  @ApiBody({ type: PutUserProfileDto, required: false })
  put(@CurrentScope() scope: Scope, @Body() body: unknown): Promise<UserProfileDto> {
    return this.profiles.put(scope, body);
  }
}
