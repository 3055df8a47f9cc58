import { Module } from '@nestjs/common';
import { AddressController } from './address.controller.js';
import { AddressService } from './address.service.js';
import { UserExportController } from './privacy/user-export.controller.js';
import { UserExportService } from './privacy/user-export.service.js';
import { UserFinder } from './search/user-finder.js';
import { UserController } from './user.controller.js';
import { UserService } from './user.service.js';

@Module({
  controllers: [UserController, UserExportController, AddressController],
  providers: [UserService, UserExportService, AddressService, UserFinder],
  exports: [UserFinder],
})
export class UserModule {}
