import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { afterSlug, bySlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { CategoryDto } from './category.dto.js';
import type { CreateCategoryDto, UpdateCategoryDto } from './category.dto.js';
import { putCategory } from './category.write.js';

const select = {
  slug: true,
  name: true,
  description: true,
  default: true,
  channels: true,
  frequencies: true,
  digestAt: true,
} satisfies Prisma.CategorySelect;

@Injectable()
export class CategoryService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly resources: Resources,
  ) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.category.findMany({
        where: { ...projectOf(scope), ...afterSlug(after) },
        orderBy: bySlug,
        take,
        select,
      });
    return new Listing(page, read, CategoryDto.from, slugOf);
  }

  async get(scope: Scope): Promise<CategoryDto> {
    return this.read(this.prisma, await this.idOf(scope));
  }

  create(scope: Scope, { slug, ...fields }: CreateCategoryDto): Promise<CategoryDto> {
    return this.resources.create(scope, {
      noun: 'category',
      put: (tx) => putCategory({ tx, dispatchers: this.dispatchers }, scope, { slug }, fields),
      read: this.read,
    });
  }

  async update(scope: Scope, fields: UpdateCategoryDto): Promise<CategoryDto> {
    const id = await this.idOf(scope);
    return this.resources.update(scope, id, {
      noun: 'category',
      put: (tx) => putCategory({ tx, dispatchers: this.dispatchers }, scope, { id }, fields),
      read: this.read,
    });
  }

  /** Also forgets what users have chosen about it. */
  async remove(scope: Scope): Promise<void> {
    const id = await this.idOf(scope);
    const remove = (tx: Transaction) => tx.category.delete({ where: { id }, select: { id: true } });
    await this.resources.remove(scope, id, { noun: 'category', read: this.read, remove });
  }

  private readonly read = async (client: Transaction, id: number): Promise<CategoryDto> => {
    const row = await client.category.findUnique({ where: { id }, select });
    if (!row) throw notFound('category');
    return CategoryDto.from(row);
  };

  private async idOf(scope: Scope): Promise<number> {
    const { category: slug = '' } = scope.path;
    const where = { ...projectOf(scope), slug };
    // PostgreSQL accepts no NUL in a parameter.
    const row = slug.includes('\u0000') ? null : await this.prisma.category.findFirst({ where, select: { id: true } });
    if (!row) throw notFound('category');
    return row.id;
  }
}

const projectOf = ({ organizationId, projectId }: Scope) => ({ organizationId, projectId });
