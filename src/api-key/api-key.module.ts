import { Module } from '@nestjs/common';
import { ApiKeyController } from './api-key.controller.js';
import { OwnApiKeyService } from './own-api-key.service.js';

@Module({ controllers: [ApiKeyController], providers: [OwnApiKeyService] })
export class ApiKeyModule {}
