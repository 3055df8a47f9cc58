import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ScopeService } from '../auth/scope.service.js';
import type { Prisma } from '../generated/prisma/client.js';
import { invalid, notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { isParentGone, isUniqueViolation } from '../prisma/unique.js';

/**
 * Writes resources that paths name by slug: organizations, projects, applications and events. All but events are deleted only when
 * they are empty, so that nobody loses a whole branch by mistake. The deletion locks the row before it looks for children: a request
 * that adds a child waits, and then finds no parent.
 */
@Injectable()
export class SlugWriter {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  /** `parent` is the noun of the 404 for a parent that was deleted after the path was resolved. */
  async write<Row>(
    scope: Scope,
    noun: string,
    work: (tx: Prisma.TransactionClient) => Promise<Row>,
    parent = noun,
  ): Promise<Row> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      const article = /^[aeo]/.test(noun) ? 'an' : 'a';
      if (isUniqueViolation(error)) throw invalid({ slug: [`belongs to ${article} ${noun} that already exists`] });
      if (isParentGone(error)) throw notFound(parent);
      throw error;
    }
  }

  async remove(scope: Scope, noun: string, work: (tx: Prisma.TransactionClient) => Promise<void>): Promise<void> {
    await this.write(scope, noun, async (tx) => {
      // No timeout: an organization may have a million people, and an event millions of deliveries.
      await tx.$executeRaw`set local statement_timeout = 0`;
      await work(tx);
    });
    this.scopes.forgetAll();
  }
}
