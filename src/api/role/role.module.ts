import { Module } from '@nestjs/common';
import { RoleController } from './role.controller.js';

@Module({ controllers: [RoleController] })
export class RoleModule {}
