import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** Writes resources that paths name by slug: organizations, projects, applications and events. */
@Injectable()
export class SlugWriter {
  constructor(private readonly prisma: PrismaService) {}

  /** `parent` is the noun of the 404 for a parent that was deleted after the path was resolved. */
  async write<Row>(scope: Scope, noun: string, work: (tx: Transaction) => Promise<Row>, parent = noun): Promise<Row> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      const article = /^[aeo]/.test(noun) ? 'an' : 'a';
      if (isUniqueViolation(error))
        throw invalidField('slug', 'already_exists', `belongs to ${article} ${noun} that already exists`);
      if (isRowGone(error)) throw notFound(parent);
      throw error;
    }
  }
}
