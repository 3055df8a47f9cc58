import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { positiveInt } from '../field/positive-int.js';
import { Listing } from '../http/list/listing.js';
import { afterId } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { conflict, invalid, notFound, quotaExceeded } from '../http/problem.js';
import { isForeignKeyViolation, isUniqueViolation } from '../prisma/database-error.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { lockRows } from '../prisma/transaction.js';
import type { Transaction } from '../prisma/transaction.js';
import { StoredBytes } from '../quota/stored-bytes.js';
import type { DigestRule } from '../ruleset/rule.js';
import { readTemplates } from './notification-templates.js';
import type { CreateNotificationDto, FlushedDto, NotificationDto, UpdateNotificationDto } from './notification.dto.js';
import { AUDIT_FLUSH, FIND_NOTIFICATIONS, FLUSH_DIGESTS } from './notification.sql.js';
import { putNotification } from './put-notification.js';
import type { NotificationFields, NotificationIdentity } from './put-notification.js';
import { digestText } from './read-waiting.js';
import { renewRuleset } from './renew-ruleset.js';

/** The rules of an event. Every change creates a new ruleset; earlier occurrences keep the ruleset they were triggered with. */
@Injectable()
export class NotificationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly stored: StoredBytes,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, limit: number) => this.find(scope, afterId(after), null, limit);
    return new Listing(page, read, show, ({ id }) => id);
  }

  async get(scope: Scope, id = idOf(scope), client: Transaction = this.prisma): Promise<NotificationDto> {
    const [row] = await this.find(scope, 0, id, 1, client);
    if (!row) throw notFound('notification');
    return show(row);
  }

  async create(scope: Scope, { name: rawName, ...body }: CreateNotificationDto): Promise<NotificationDto> {
    const name = rawName.trim();
    const templates = readTemplates(body.templates);
    return this.change(scope, async (tx) => {
      const where = { eventId: scope.eventId, name };
      if (await tx.notification.findFirst({ where, select: { id: true } })) throw TAKEN;
      const id = await this.put(tx, scope, { name }, { ...body, templates });
      // Read before the commit: after it, a read that fails would say that nothing was created.
      return this.get(scope, id, tx);
    });
  }

  async update(scope: Scope, body: UpdateNotificationDto): Promise<NotificationDto> {
    const { id } = await this.get(scope);
    // Without it, a notification can be switched off although the storage is full.
    if (body.templates) this.stored.requireSpace(scope.organizationId, scope.quotas);
    const templates = body.templates && readTemplates(body.templates);
    await this.change(scope, async (tx) => {
      const row = await tx.notification.findFirst({ where: { id, eventId: scope.eventId }, select: { id: true } });
      if (!row) throw notFound('notification'); // deleted by another request
      return this.put(tx, scope, { id }, { ...body, name: body.name?.trim(), templates });
    });
    return this.get(scope);
  }

  async remove(scope: Scope): Promise<void> {
    const where = { id: idOf(scope), eventId: scope.eventId };
    await this.change(scope, async (tx) => {
      const { count } = await tx.notification.deleteMany({ where });
      if (count === 0) throw notFound('notification');
    });
  }

  /** The open digests are due now. The worker that closes them sends them. */
  async flush(scope: Scope): Promise<FlushedDto> {
    const { id, name } = await this.get(scope);
    const { organizationId, path } = scope;
    return this.prisma.change(actorOf(scope), async (tx) => {
      const digests = await tx.$executeRawUnsafe(FLUSH_DIGESTS, organizationId, id);
      await tx.$executeRawUnsafe(AUDIT_FLUSH, organizationId, [path.prj, path.app, path.evt, name].join('/'));
      return { digests };
    });
  }

  private async change<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        // One change at a time: of two concurrent changes, each would store a ruleset without the other change.
        const [event] = await lockRows(tx, 'events', [scope.eventId], 'no key update');
        if (event === undefined) throw notFound('event');
        const result = await work(tx);
        const excess = await renewRuleset(tx, scope.eventId, this.config.quotas);
        if (excess) throw quotaExceeded(excess.quota, excess.detail);
        return result;
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw TAKEN;
      if (isForeignKeyViolation(error))
        throw conflict('Another request has just deleted a list or channel of the notification. Choose another one.');
      throw error;
    }
  }

  private async put(
    tx: Transaction,
    scope: Scope,
    identity: NotificationIdentity,
    fields: NotificationFields,
  ): Promise<number> {
    const put = await putNotification({ tx, dispatchers: this.dispatchers }, scope, identity, fields);
    if ('errors' in put) throw invalid(put.errors);
    return put.id;
  }

  private find({ eventId }: Scope, after: number, id: number | null, limit: number, client: Transaction = this.prisma) {
    return client.$queryRawUnsafe<NotificationRow[]>(FIND_NOTIFICATIONS, eventId, after, id, limit);
  }
}

type NotificationRow = Omit<NotificationDto, 'digest'> & { digest: DigestRule | null; isCut: boolean };

function show(row: NotificationRow): NotificationDto {
  const { isCut: _, digest, ...notification } = row;
  return { ...notification, digest: digest && digestText(digest) };
}

const TAKEN = invalid({ name: ['belongs to a notification of the event that already exists'] });

function idOf({ path }: Scope): number {
  const id = positiveInt(path.notification ?? '');
  if (id === null) throw notFound('notification');
  return id;
}
