import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { hasErrors } from '../../platform/field/error/field-error.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { alreadyExists, conflict, invalid, notFound } from '../../platform/http/problem.js';
import { checkDraft } from './check-draft.js';
import { DRAFT_NAME } from './draft.dto.js';
import type { CreateDraftDto, DraftContentDto, DraftDto, PutDraftDto } from './draft.dto.js';
import { HAS_MOST_DRAFTS, LIST_DRAFTS } from './draft.sql.js';

/** Of an organization. */
export const MAX_DRAFTS = 1000;
const TOO_MANY = `The organization has ${MAX_DRAFTS} drafts. Publish or discard some of them.`;

interface DraftRow {
  id: number;
  draft: string;
  name: string;
  savedBy: string;
  savedAt: Date;
}

/** Changes of notifications that nobody has published yet. They are kept until then, and shared. */
@Injectable()
export class DraftService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
  ) {}

  list({ eventId }: Scope, page: Page): Listing<DraftRow, DraftDto> {
    const read = async (after: string | null, limit: number) =>
      (await this.database.query<DraftRow>('list-drafts', LIST_DRAFTS, [eventId, afterId(after), limit])).rows;
    return new Listing(page, read, show, ({ id }) => id);
  }

  async get(scope: Scope, client: Transaction = this.prisma, name = nameOf(scope)): Promise<DraftContentDto> {
    const found = await this.find(client, scope, name);
    if (!found) throw notFound('draft');
    return found;
  }

  create(scope: Scope, { draft, ...fields }: CreateDraftDto): Promise<DraftContentDto> {
    return this.change(scope, async (tx) => {
      if (await this.find(tx, scope, draft)) throw alreadyExists('editor of the notification', 'draft');
      return this.write(tx, scope, draft, fields);
    });
  }

  put(scope: Scope, fields: PutDraftDto): Promise<DraftContentDto> {
    const name = nameOf(scope);
    return this.change(scope, async (tx) => {
      await requireMatch(scope.ifMatch, () => this.find(tx, scope, name));
      return this.write(tx, scope, name, fields);
    });
  }

  async remove(scope: Scope): Promise<void> {
    const { organizationId, eventId } = scope;
    const name = nameOf(scope);
    await this.change(scope, async (tx) => {
      await requireMatch(scope.ifMatch, () => this.find(tx, scope, name));
      const { count } = await tx.draft.deleteMany({ where: { organizationId, eventId, name } });
      if (count === 0) throw notFound('draft');
    });
  }

  private async write(tx: Transaction, scope: Scope, name: string, fields: PutDraftDto): Promise<DraftContentDto> {
    const { organizationId, eventId, key } = scope;
    const { notification, base = null, base_etag: baseEtag = null } = fields;
    const errors = { ...checkDraft('notification', notification), ...(base && checkDraft('base', base)) };
    if (hasErrors(errors)) throw invalid(errors);
    const notificationId = name.startsWith('new') ? null : Number(name);
    if (notificationId !== null && !(await tx.notification.count({ where: { id: notificationId, eventId } })))
      throw notFound('notification');
    const content = {
      notification: { ...notification } as Prisma.InputJsonObject,
      base: base === null ? Prisma.DbNull : ({ ...base } as Prisma.InputJsonObject),
      ...{ baseEtag, savedBy: key.name, savedAt: new Date() },
    };
    const { count } = await tx.draft.updateMany({ where: { organizationId, eventId, name }, data: content });
    if (count === 0) {
      await refuseMore(tx, organizationId);
      await tx.draft.create({ data: { organizationId, eventId, name, notificationId, ...content } });
    }
    return this.get(scope, tx, name);
  }

  /** The drafts of an event change one at a time. */
  private async change<Answer>(scope: Scope, work: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        const [event] = await lockRows(tx, 'events', [scope.eventId], 'no key update');
        if (event === undefined) throw notFound('event');
        return work(tx);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('event');
      throw error;
    }
  }

  private async find(client: Transaction, { organizationId, eventId }: Scope, name: string) {
    const row = await client.draft.findFirst({ where: { organizationId, eventId, name } });
    return row && showContent(row);
  }
}

async function refuseMore(tx: Transaction, organizationId: number): Promise<void> {
  const [row] = await tx.$queryRawUnsafe<{ hasMost: boolean }[]>(HAS_MOST_DRAFTS, organizationId, MAX_DRAFTS);
  if (row!.hasMost) throw conflict(TOO_MANY);
}

const show = ({ draft, name, savedBy, savedAt }: DraftRow): DraftDto => ({
  ...{ draft, name, saved_by: savedBy, saved_at: savedAt.toISOString() },
});

type StoredDraft = Prisma.DraftGetPayload<object>;

function showContent({ name, notification, base, baseEtag, savedBy, savedAt }: StoredDraft): DraftContentDto {
  const { name: named = '' } = notification as { name?: string };
  return {
    ...{ draft: name, name: named, saved_by: savedBy, saved_at: savedAt.toISOString() },
    ...{ notification: notification as object, base: base as object | null, base_etag: baseEtag },
  };
}

function nameOf({ path: { draft = '' } }: Scope): string {
  if (!DRAFT_NAME.test(draft)) throw notFound('draft');
  return draft;
}
