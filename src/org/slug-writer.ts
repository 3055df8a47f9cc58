import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ScopeService } from '../auth/scope.service.js';
import { refuseIfBlocked } from '../deletion/deletion.js';
import type { Deletable } from '../deletion/deletion.js';
import { invalid, notFound } from '../http/problem.js';
import { isRowGone, isUniqueViolation } from '../prisma/database-error.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { allowLongStatements } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';

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
  async write<Row>(scope: Scope, noun: string, work: (tx: Transaction) => Promise<Row>, parent = noun): Promise<Row> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      const article = /^[aeo]/.test(noun) ? 'an' : 'a';
      if (isUniqueViolation(error)) throw invalid({ slug: [`belongs to ${article} ${noun} that already exists`] });
      if (isRowGone(error)) throw notFound(parent);
      throw error;
    }
  }

  /** Deletes under the rule of the noun, and forgets the scopes that name the deleted row. */
  async remove(scope: Scope, noun: Deletable, id: number, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    await this.write(scope, noun, async (tx) => {
      // An organization may have a million people, an event millions of deliveries.
      await allowLongStatements(tx);
      await refuseIfBlocked(tx, noun, id);
      await work(tx);
    });
    this.scopes.forgetAll();
  }
}
