import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { refuseIfBlocked } from '../resource/deletion.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { afterSlug, bySlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { SlugWriter } from '../resource/slug-writer.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { CategoryDto } from './category.dto.js';
import type { CreateCategoryDto, UpdateCategoryDto } from './category.dto.js';
import { putCategory } from './put-category.js';
import type { CategoryFields } from './put-category.js';

const select = {
  slug: true,
  name: true,
  description: true,
  default: true,
  channels: true,
} satisfies Prisma.CategorySelect;

@Injectable()
export class CategoryService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly slugs: SlugWriter,
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
    const { id } = await find(this.prisma, scope);
    return this.show(this.prisma, id);
  }

  create(scope: Scope, { slug, ...fields }: CreateCategoryDto): Promise<CategoryDto> {
    const write = async (tx: Transaction) => {
      const where = { ...projectOf(scope), slug };
      if (await tx.category.findFirst({ where, select: { id: true } }))
        throw invalidField('slug', 'already_exists', 'belongs to a category that already exists');
      return this.put(tx, scope, slug, fields);
    };
    return this.slugs.write(scope, 'category', write, 'project');
  }

  update(scope: Scope, fields: UpdateCategoryDto): Promise<CategoryDto> {
    return this.slugs.write(scope, 'category', async (tx) => {
      await this.requireMatch(tx, scope, (await find(tx, scope)).id);
      return this.put(tx, scope, scope.path.category ?? '', fields);
    });
  }

  /** Also forgets what users have chosen about it. */
  async remove(scope: Scope): Promise<void> {
    await this.prisma.change(actorOf(scope), async (tx) => {
      const { id } = await find(tx, scope);
      await this.requireMatch(tx, scope, id);
      await refuseIfBlocked(tx, 'category', id);
      await tx.category.delete({ where: { id }, select: { id: true } });
    });
  }

  private requireMatch(tx: Transaction, { ifMatch, organizationId }: Scope, id: number): Promise<void> {
    return requireMatch(ifMatch, async () => {
      // The organization first, as `putCategory` does.
      await lockRows(tx, 'organizations', [organizationId], 'no key update');
      await lockRows(tx, 'categories', [id], 'no key update');
      return this.show(tx, id);
    });
  }

  private async put(tx: Transaction, scope: Scope, slug: string, fields: CategoryFields): Promise<CategoryDto> {
    const { name, description, default: byDefault, channels } = fields;
    const wanted = { name, description, default: byDefault, channels };
    const put = await putCategory({ tx, dispatchers: this.dispatchers }, { ...projectOf(scope), slug }, wanted);
    if ('errors' in put) throw invalid(put.errors);
    return this.show(tx, put.id);
  }

  private async show(client: Transaction, id: number): Promise<CategoryDto> {
    const row = await client.category.findUnique({ where: { id }, select });
    if (!row) throw notFound('category');
    return CategoryDto.from(row);
  }
}

const projectOf = ({ organizationId, projectId }: Scope) => ({ organizationId, projectId });

async function find(client: Transaction, scope: Scope): Promise<{ id: number }> {
  const { category: slug = '' } = scope.path;
  const row = slug.includes('\u0000') // PostgreSQL accepts no NUL in a parameter
    ? null
    : await client.category.findFirst({ where: { ...projectOf(scope), slug }, select: { id: true } });
  if (!row) throw notFound('category');
  return row;
}
