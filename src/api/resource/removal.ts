import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { notFound } from '../../platform/http/problem.js';
import { isRowGone } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { allowLongStatements } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { refuseIfBlocked } from './deletion.js';
import type { Deletable } from './deletion.js';

/**
 * Deletes resources that a path can name before its last part: organizations, projects, applications, events, users and distribution
 * lists. The paths of such a resource are in the cache of scopes, so every request that deletes one does it here.
 *
 * Organizations, projects and applications are deleted only when they are empty, so that nobody loses a whole branch by mistake. The
 * deletion locks the row before it looks for children: a request that adds a child waits, and then finds no parent.
 */
@Injectable()
export class Removal {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  /** Deletes under the rule of the noun, if it has one, and forgets the scopes that name the deleted row. */
  async remove(
    scope: Scope,
    noun: Deletable | 'user',
    id: number,
    work: (tx: Transaction) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.prisma.change(actorOf(scope), async (tx) => {
        // An organization may have a million users, a list as many members, an event millions of deliveries.
        await allowLongStatements(tx);
        if (noun !== 'user') await refuseIfBlocked(tx, noun, id);
        await work(tx);
      });
    } catch (error) {
      if (isRowGone(error)) throw notFound(noun);
      throw error;
    }
    this.scopes.forgetAll();
  }
}
