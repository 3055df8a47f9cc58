import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module.js';
import { UserProfileController } from './user-profile.controller.js';
import { UserProfileService } from './user-profile.service.js';
import { UserUploadService } from './user-upload.service.js';

/** Whole users: their fields, addresses, settings, memberships and preferences. */
@Module({
  imports: [UserModule],
  controllers: [UserProfileController],
  providers: [UserProfileService, UserUploadService],
})
export class UserProfileModule {}
