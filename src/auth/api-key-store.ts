import { Injectable } from '@nestjs/common';
import type { Actor } from '../prisma/actor.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { hashApiKey, newApiKey } from './api-key.js';
import type { Permission } from './permission.js';
import { ScopeService } from './scope.service.js';

export interface NewApiKey {
  name: string;
  permissions: readonly Permission[];
  /** No organization: an operator key, which reaches all of them. */
  organizationId?: number;
  projectId?: number;
  applicationId?: number;
  expiresAt?: Date;
  /** Requests a second; none: no limit. */
  rateLimit?: number;
}

/** Of a rate limit. */
export const MOST_REQUESTS = 1_000_000;

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

/** Keys of every organization, for code that has been admitted already. Over HTTP, `ApiKeyService` lets a key reach only its own branch. */
@Injectable()
export class ApiKeyStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  /** The text of the new key: this is the only time it exists outside its holder's hands. */
  async create({ permissions, ...key }: NewApiKey, by: Actor): Promise<{ id: number; text: string }> {
    const text = newApiKey();
    const hash = Uint8Array.from(Buffer.from(hashApiKey(text), 'hex'));
    const data = { ...key, permissions: [...permissions], hash };
    const { id } = await this.prisma.change(by, (tx) => tx.apiKey.create({ data, select: { id: true } }));
    return { id, text };
  }

  /** As the database has it now: what a request was admitted with may be some seconds old. */
  async isValid(id: number): Promise<boolean> {
    const where = { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
    return (await this.prisma.apiKey.count({ where })) > 0;
  }

  /** `organizationSlug` none: the keys of all organizations and of operators. */
  list(organizationSlug?: string) {
    return this.prisma.apiKey.findMany({
      where: organizationSlug === undefined ? {} : { organization: { slug: organizationSlug } },
      orderBy: { id: 'asc' },
      select: apiKeySelect,
    });
  }

  /** Whether there was such a key that was not revoked yet. */
  async revoke(id: number, by: Actor): Promise<boolean> {
    const { count } = await this.prisma.change(by, (tx) =>
      tx.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } }),
    );
    this.scopes.forget(id);
    return count > 0;
  }
}
