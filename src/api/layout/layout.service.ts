import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { allowLongStatements } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SLUG, SLUG_RULE } from '../../platform/field/slug.js';
import { slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, invalidField, notFound, quotaExceeded } from '../../platform/http/problem.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import { DEFAULT_LAYOUT } from '../../rules/template/layout/default-layout.js';
import { lockOwner, ownerOf } from '../resource/owner.js';
import { Resources } from '../resource/resources.js';
import { BUILT_IN_LAYOUT } from './fragments.js';
import type { FragmentKind } from './fragments.js';
import type { FragmentDto, FragmentUseDto, PutFragmentDto } from './layout.dto.js';
import { LIST_FRAGMENTS, LIST_USES } from './layout.sql.js';
import { putFragment, removalProblem, removeFragment, renewUsing, tableOf } from './layout.write.js';

const select = { slug: true, html: true, text: true, mjml: true } as const;

/** The layouts or partials of a project, or the organization's own ones if the path names no project. */
@Injectable()
export class LayoutService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
    private readonly inspector: TemplateInspector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  list(scope: Scope, kind: FragmentKind, page: Page) {
    const { organizationId, projectId } = ownerOf(scope);
    const read = (after: string | null, limit: number) =>
      this.prisma.$queryRawUnsafe<FragmentDto[]>(LIST_FRAGMENTS[kind], organizationId, projectId, after, limit);
    return new Listing(page, read, show, slugOf);
  }

  async get(scope: Scope, kind: FragmentKind): Promise<FragmentDto> {
    const shown = await this.show(this.prisma, scope, kind);
    if (!shown) throw notFound(kind);
    return shown;
  }

  async put(scope: Scope, kind: FragmentKind, body: PutFragmentDto): Promise<FragmentDto> {
    const slug = nameIn(scope, kind);
    if (!SLUG.test(slug)) throw invalidField(kind, 'invalid_format', SLUG_RULE);
    const report = await this.inspector.inspect(scope.organizationId, body);
    const put = async (tx: Transaction) => {
      await allowLongStatements(tx);
      const context = { tx, quotas: this.config.quotas };
      const row = await putFragment(context, kind, ownerOf(scope), slug, body, report);
      if ('verb' in row && row.verb) await this.renew(tx, scope, kind);
      return row;
    };
    const read = (tx: Transaction) => this.show(tx, scope, kind);
    return (await this.resources.update(scope, 0, { noun: kind, lock: (tx) => lockOwner(tx, scope), put, read }))!;
  }

  async remove(scope: Scope, kind: FragmentKind): Promise<void> {
    const { id } = await this.find(this.prisma, scope, kind);
    const remove = async (tx: Transaction) => {
      await removeFragment(tx, kind, id);
      const problem = await removalProblem(tx, kind, ownerOf(scope), nameIn(scope, kind));
      if (problem) throw conflict(`The ${kind} ${problem}.`);
      await this.renew(tx, scope, kind);
    };
    const read = async (tx: Transaction) => (await this.find(tx, scope, kind)).shown;
    await this.resources.remove(scope, id, { noun: kind, lock: (tx) => lockOwner(tx, scope), read, remove });
  }

  /** Also of a layout that is not stored: it tells who would use it. */
  listUses(scope: Scope, kind: FragmentKind, page: Page) {
    const { organizationId, projectId } = ownerOf(scope);
    if (nameIn(scope, kind).includes('\u0000')) throw notFound(kind); // PostgreSQL takes no NUL
    const values = [organizationId, projectId, kind, nameIn(scope, kind)];
    const read = (after: string | null, limit: number) =>
      this.prisma.$queryRawUnsafe<UseRow[]>(LIST_USES, ...values, afterId(after), limit);
    return new Listing(page, read, showUse, ({ id }) => id);
  }

  private async renew(tx: Transaction, scope: Scope, kind: FragmentKind): Promise<void> {
    const context = { tx, quotas: this.config.quotas };
    const excess = await renewUsing(context, kind, ownerOf(scope), nameIn(scope, kind));
    if (excess) throw quotaExceeded(excess.quota, excess.detail);
  }

  /** The stored one, or the built-in one; null if there is neither. */
  private async show(client: Transaction, scope: Scope, kind: FragmentKind): Promise<FragmentDto | null> {
    const found = await this.findOrNull(client, scope, kind);
    if (found) return found.shown;
    if (kind !== 'layout' || nameIn(scope, kind) !== BUILT_IN_LAYOUT) return null;
    const { html = null, text = null } = DEFAULT_LAYOUT;
    return { slug: BUILT_IN_LAYOUT, html, text, mjml: null };
  }

  private async find(client: Transaction, scope: Scope, kind: FragmentKind): Promise<FoundFragment> {
    const found = await this.findOrNull(client, scope, kind);
    if (!found) throw notFound(kind);
    return found;
  }

  private async findOrNull(client: Transaction, scope: Scope, kind: FragmentKind): Promise<FoundFragment | null> {
    const where = { ...ownerOf(scope), slug: nameIn(scope, kind) };
    const row = where.slug.includes('\u0000')
      ? null
      : await tableOf(client, kind).findFirst({ where, select: { ...select, id: true } });
    if (!row) return null;
    return { id: row.id, shown: show(row) };
  }
}

/** HTML that was converted is not shown: its source is. */
const show = ({ slug, html, text, mjml }: FragmentDto): FragmentDto => ({
  ...{ slug, html: mjml === null ? html : null, text, mjml },
});

interface FoundFragment {
  id: number;
  shown: FragmentDto;
}

type UseRow = FragmentUseDto & { id: number };

const showUse = ({ project, application, event, notification, name, channel }: UseRow): FragmentUseDto => ({
  ...{ project, application, event, notification, name, channel },
});

const nameIn = ({ path }: Scope, kind: FragmentKind) => path[kind] ?? '';
