import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JsonBodyGuard } from '../platform/http/body/json-body.guard.js';
import { TriggerShares } from '../platform/http/limit/trigger-shares.js';
import { UploadShares } from '../platform/http/limit/upload-shares.js';
import { StoredBodies } from './quota/stored-bodies.js';
import { StoredBytes } from './quota/stored-bytes.js';
import { ApiKeyStore } from './api-key-store.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { DeclaredRoutes } from './declared-routes.js';
import { QueryGuard } from './query.guard.js';
import { WrongKeys } from './quota/rate-limit.js';
import { Origins } from './recipient/origins.js';
import { RecipientScopes } from './recipient/recipient-scopes.js';
import { ScopeService } from './scope.service.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ScopeService,
    StoredBytes,
    StoredBodies,
    ApiKeyStore,
    RecipientScopes,
    Origins,
    DeclaredRoutes,
    WrongKeys,
    UploadShares,
    { provide: TriggerShares, useFactory: () => new TriggerShares() },
    // The order matters: the key is checked before the body is read.
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_GUARD, useClass: JsonBodyGuard },
  ],
  exports: [ApiKeyStore, Origins, RecipientScopes, ScopeService, StoredBytes, WrongKeys],
})
export class AuthModule {}
