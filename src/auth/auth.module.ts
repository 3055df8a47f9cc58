import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyService } from './api-key.service.js';
import { DeclaredRoutes } from './declared-routes.js';
import { ScopeService } from './scope.service.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [ScopeService, ApiKeyService, DeclaredRoutes, { provide: APP_GUARD, useClass: ApiKeyGuard }],
  exports: [ApiKeyService],
})
export class AuthModule {}
