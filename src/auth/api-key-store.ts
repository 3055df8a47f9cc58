import { Injectable } from '@nestjs/common';
import type { Actor } from '../prisma/actor.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { hashApiKey, newApiKey } from './api-key.js';
import type { Permission } from './permission.js';
import { ScopeService } from './scope.service.js';

export interface NewApiKey {
  name: string;
  permissions: readonly Permission[];
  /** Undefined: an operator key, which reaches all organizations. */
  organizationId?: number;
  projectId?: number;
  applicationId?: number;
  expiresAt?: Date;
  /** Requests a second; undefined: no limit. */
  rateLimit?: number;
  /** The key that it shares the limit with; undefined: it has its own. */
  rateLimitOf?: number;
}

/** The highest rate limit of a key, in requests a second. */
export const MAX_RATE_LIMIT = 1_000_000;

export const apiKeySelect = {
  id: true,
  name: true,
  permissions: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  createdAt: true,
  rateLimit: true,
  organization: { select: { slug: true } },
  project: { select: { slug: true } },
  application: { select: { slug: true } },
} as const;

/** The keys of all organizations, without a check of who asks. `ApiKeyService` adds that check for requests over HTTP. */
@Injectable()
export class ApiKeyStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  /** Returns the text of the new key. Only its hash is stored, so the text cannot be shown again. */
  async create({ permissions, ...key }: NewApiKey, by: Actor): Promise<{ id: number; text: string }> {
    const text = newApiKey();
    const hash = Uint8Array.from(Buffer.from(hashApiKey(text), 'hex'));
    const data = { ...key, permissions: [...permissions], hash };
    const { id } = await this.prisma.change(by, (tx) => tx.apiKey.create({ data, select: { id: true } }));
    return { id, text };
  }

  /** Asks the database: the cached key that admitted a request may be some seconds old. */
  async isValid(id: number): Promise<boolean> {
    const where = { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
    return (await this.prisma.apiKey.count({ where })) > 0;
  }

  /** Without `organizationSlug`, the keys of all organizations and of operators. */
  list(organizationSlug?: string) {
    return this.prisma.apiKey.findMany({
      where: organizationSlug === undefined ? {} : { organization: { slug: organizationSlug } },
      orderBy: { id: 'asc' },
      select: apiKeySelect,
    });
  }

  /** Returns false when there is no such key, or it was already revoked. */
  async revoke(id: number, by: Actor): Promise<boolean> {
    const { count } = await this.prisma.change(by, (tx) =>
      tx.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } }),
    );
    this.scopes.forget(id);
    return count > 0;
  }
}
