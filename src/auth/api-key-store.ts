import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/database/actor.js';
import { PrismaService } from '../platform/database/prisma.service.js';
import type { SqlTransaction } from '../platform/database/transaction.js';
import { conflict, unauthorized } from '../platform/http/problem.js';
import { createApiKey, revokeApiKey } from './api-key-rows.js';
import type { CreatedApiKey, NewApiKey } from './api-key-rows.js';
import { ScopeService } from './scope.service.js';
import { VALID_KEYS } from './scope.sql.js';
import { keepsRights } from './role/key-rights.js';
import type { KeyRights, ValidKey } from './role/key-rights.js';

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

  /**
   * For requests that hand rights on. Asks the database: the cached key that admitted the request may be some seconds old, and have been revoked
   * since, or lost rights with its member.
   */
  async requireUnchanged(key: KeyRights & { id: number }, client: SqlTransaction = this.prisma): Promise<void> {
    const [now] = await client.$queryRawUnsafe<ValidKey[]>(VALID_KEYS, [key.id]);
    if (!now) throw unauthorized('The API key has been revoked.');
    if (keepsRights(key, now)) return;
    this.scopes.forget(key.id);
    throw conflict('What you may do has just changed. Try again.');
  }

  /** Returns false when there is no such key, or it was already revoked. */
  async revoke(id: number, by: Actor): Promise<boolean> {
    const revoked = await this.prisma.change(by, (tx) => revokeApiKey(tx, id));
    this.scopes.forget(id);
    return revoked;
  }
}
