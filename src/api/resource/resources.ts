import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { alreadyExists, conflict, invalid, notFound } from '../../platform/http/problem.js';
import { isForeignKeyViolation, isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { allowLongStatements, lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { refuseIfBlocked, tableOf } from './deletion.js';
import type { Put } from './put.js';

/** The nouns that HTTP writes through `Resources`. */
const NOUNS = {
  organization: { owner: 'organization' },
  project: { owner: 'organization' },
  application: { owner: 'project' },
  'status webhook': { owner: 'application' },
  event: { owner: 'application' },
  category: { owner: 'project' },
  'distribution list': { owner: 'project', unique: 'name' },
  channel: {
    owner: 'project',
    lost: 'Another request has just started to use the channel, or has deleted its fallback. Try again.',
  },
  layout: { owner: 'project' },
  partial: { owner: 'project' },
  notification: {
    owner: 'event',
    unique: 'name',
    lost: 'Another request has just deleted a list or channel of the notification. Choose another one.',
  },
  user: { owner: 'organization' },
} satisfies Record<string, NounRule>;

interface NounRule {
  /** The noun of the 404 if the owner was deleted after the path was resolved. */
  owner: string;
  /** The field that no two rows of an owner share. Left out: `slug`. */
  unique?: 'name';
  /** The sentence of the 409 if a row that this one refers to, or that refers to it, has just changed. Left out: a 404. */
  lost?: string;
}

type Noun = keyof typeof NOUNS;

interface Change<Answer> {
  noun: Noun;
  /** Locks other rows than the one that changes, before anything else. */
  lock?: (tx: Transaction) => Promise<unknown>;
  /** Calls the `putX` of the noun. */
  put: (tx: Transaction) => Promise<Put>;
  /** Whether the operation ignores `If-Match`. */
  isUnconditional?: true;
  /** Reads the response inside the transaction: a read that fails after the commit would report the change as failed. */
  read: (tx: Transaction, id: number) => Promise<Answer>;
}

interface Deletion {
  noun: Noun;
  lock?: Change<unknown>['lock'];
  /** Reads the version that `If-Match` names; left out if the resource has no ETag. */
  read?: (tx: Transaction, id: number) => Promise<object | null>;
  remove: (tx: Transaction) => Promise<unknown>;
}

/** Creates, changes and deletes resources for HTTP: one transaction each, in the name of the caller. */
@Injectable()
export class Resources {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  create<Answer>(scope: Scope, { noun, lock, put, read }: Change<Answer>): Promise<Answer> {
    return this.write(scope, noun, NOUNS[noun].owner, async (tx) => {
      await lock?.(tx);
      const row = await put(tx);
      if ('errors' in row) throw invalid(row.errors);
      if (row.verb !== 'create') throw alreadyExists(noun, uniqueOf(noun));
      return read(tx, row.id);
    });
  }

  /** Changes the resource with this id, if `If-Match` allows it. */
  update<Answer extends object | null>(scope: Scope, id: number, change: Change<Answer>): Promise<Answer> {
    const { noun, lock, put, read } = change;
    return this.write(scope, noun, noun, async (tx) => {
      await lock?.(tx);
      if (!change.isUnconditional) await this.requireMatch(tx, scope, noun, id, read);
      const row = await put(tx);
      if ('errors' in row) throw invalid(row.errors);
      return read(tx, row.id);
    });
  }

  /**
   * Deletes a resource under the rule of its noun, if it has one. Organizations, projects and applications are deleted only when they are
   * empty, so that nobody loses a whole branch by mistake. The deletion locks the row before it looks for children: a request that adds a
   * child waits, and then finds no parent.
   */
  async remove(scope: Scope, id: number, { noun, lock, read, remove }: Deletion): Promise<void> {
    await this.write(scope, noun, noun, async (tx) => {
      // An organization may have a million users, a list as many members, an event millions of deliveries.
      await allowLongStatements(tx);
      await lock?.(tx);
      if (read) await this.requireMatch(tx, scope, noun, id, read);
      await refuseIfBlocked(tx, noun, id);
      await remove(tx);
    });
    // Its paths are in the cache.
    this.scopes.forgetAll();
  }

  private requireMatch(
    tx: Transaction,
    { ifMatch }: Scope,
    noun: Noun,
    id: number,
    read: NonNullable<Deletion['read']>,
  ): Promise<void> {
    return requireMatch(ifMatch, async () => {
      const table = tableOf(noun);
      if (table) await lockRows(tx, table, [id], 'no key update');
      return read(tx, id);
    });
  }

  private async write<Answer>(
    scope: Scope,
    noun: Noun,
    gone: string,
    work: (tx: Transaction) => Promise<Answer>,
  ): Promise<Answer> {
    const { lost }: NounRule = NOUNS[noun];
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      if (isUniqueViolation(error)) throw alreadyExists(noun, uniqueOf(noun));
      if (lost && isForeignKeyViolation(error)) throw conflict(lost);
      if (isRowGone(error)) throw notFound(gone);
      throw error;
    }
  }
}

const uniqueOf = (noun: Noun) => (NOUNS[noun] as NounRule).unique ?? 'slug';
