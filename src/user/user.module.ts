import { Module } from '@nestjs/common';
import { AddressController } from './address.controller.js';
import { AddressService } from './address.service.js';
import { UserController } from './user.controller.js';
import { UserService } from './user.service.js';

@Module({ controllers: [UserController, AddressController], providers: [UserService, AddressService] })
export class UserModule {}
