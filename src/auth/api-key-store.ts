import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/database/actor.js';
import { PrismaService } from '../platform/database/prisma.service.js';
import { createApiKey, revokeApiKey } from './api-key-rows.js';
import type { CreatedApiKey, NewApiKey } from './api-key-rows.js';
import { ScopeService } from './scope.service.js';
import { VALID_KEYS } from './scope.sql.js';

/** The keys of all organizations, without a check of who asks. `ApiKeyService` adds that check for requests over HTTP. */
@Injectable()
export class ApiKeyStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  create(key: NewApiKey, by: Actor): Promise<CreatedApiKey> {
    return this.prisma.change(by, (tx) => createApiKey(tx, key));
  }

  /** Asks the database: the cached key that admitted a request may be some seconds old. */
  async isValid(id: number): Promise<boolean> {
    return (await this.prisma.$queryRawUnsafe<unknown[]>(VALID_KEYS, [id])).length > 0;
  }

  /** Returns false when there is no such key, or it was already revoked. */
  async revoke(id: number, by: Actor): Promise<boolean> {
    const revoked = await this.prisma.change(by, (tx) => revokeApiKey(tx, id));
    this.scopes.forget(id);
    return revoked;
  }
}
