import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JsonBodyGuard } from '../http/body/json-body.guard.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyService } from './api-key.service.js';
import { DeclaredRoutes } from './declared-routes.js';
import { ScopeService } from './scope.service.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ScopeService,
    ApiKeyService,
    DeclaredRoutes,
    // The order matters: the key is checked before the body is read.
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: JsonBodyGuard },
  ],
  exports: [ApiKeyService, ScopeService],
})
export class AuthModule {}
