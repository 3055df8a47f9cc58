import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { OpenToRecipient, RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { PreferencesDto, ChangePreferencesDto } from './preference.dto.js';
import { PreferenceService } from './preference.service.js';

@ApiTags('Preferences')
@Controller('api/o/:org/u/:username/preferences')
export class PreferenceController {
  constructor(private readonly preferences: PreferenceService) {}

  /**
   * Retrieve what a user gets: for each category and channel type whether it is on, and why.
   *
   * @remarks The channel types are those of the organization's channels. Events are listed only if the user has chosen about them; other
   * events follow their category. A key that is bound to a project or an application sees only what belongs to it. A recipient token sees
   * only categories of projects that reach the user: by a distribution list, by the audience of a notification, or by an earlier choice.
   * Open lists are those of the whole organization: every user may join them.
   */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.PreferenceRead)
  @OpenToRecipient('preferences')
  get(@CurrentScope() scope: Scope): Promise<PreferencesDto> {
    return this.preferences.get(scope);
  }

  /**
   * Change what a user gets. Choices that are not in the body are kept.
   *
   * @remarks Returns the new state. Choices about required categories, and about events without a category, are refused: everyone gets
   * those. A key that is bound to a project or an application cannot: users belong to the organization.
   */
  @Patch()
  @ChecksEtag()
  @RequirePermission(Permission.PreferenceWrite, 'organization')
  @OpenToRecipient('preferences')
  update(@CurrentScope() scope: Scope, @Body() body: ChangePreferencesDto): Promise<PreferencesDto> {
    return this.preferences.update(scope, body);
  }
}
