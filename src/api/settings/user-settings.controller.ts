import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { OpenToRecipient, RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { UpdateUserSettingsDto, UserSettingsDto } from './user-settings.dto.js';
import { UserSettingsService } from './user-settings.service.js';

@ApiTags('Users')
@Controller('api/o/:org/u/:username/settings')
export class UserSettingsController {
  constructor(private readonly settings: UserSettingsService) {}

  /** Retrieve the time zone, the quiet hours and the locale of a user. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.UserRead)
  @OpenToRecipient('preferences')
  get(@CurrentScope() scope: Scope): Promise<UserSettingsDto> {
    return this.settings.get(scope);
  }

  /**
   * Change the time zone, the quiet hours or the locale of a user. Fields that you leave out keep their values.
   *
   * @remarks Messages to the user that wait for the end of quiet hours, or for a send window, find their time again. A key that is bound to a
   * project or an application cannot: users belong to the organization.
   */
  @Patch()
  @ChecksEtag()
  @RequirePermission(Permission.UserWrite, 'organization')
  @OpenToRecipient('preferences')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateUserSettingsDto): Promise<UserSettingsDto> {
    return this.settings.update(scope, body);
  }
}
