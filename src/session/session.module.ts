import { Module } from '@nestjs/common';
import { OrganizationSessionController } from './organization-session.controller.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';

@Module({ controllers: [SessionController, OrganizationSessionController], providers: [SessionService] })
export class SessionModule {}
