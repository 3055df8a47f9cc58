import { Module } from '@nestjs/common';
import { OrganizationSettingsController } from './organization-settings.controller.js';
import { OrganizationSettingsService } from './organization-settings.service.js';
import { UserSettingsController } from './user-settings.controller.js';
import { UserSettingsService } from './user-settings.service.js';

/** Time zone, quiet hours, locale, limits, color and origins, of an organization and of its users. */
@Module({
  controllers: [OrganizationSettingsController, UserSettingsController],
  providers: [OrganizationSettingsService, UserSettingsService],
})
export class SettingsModule {}
