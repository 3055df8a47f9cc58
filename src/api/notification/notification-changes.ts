import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { conflict, invalid, invalidField, notFound, quotaExceeded } from '../../platform/http/problem.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { readTemplates } from './notification-templates.js';
import type { Inspect, TemplateFields } from './notification-templates.js';
import type { UpdateNotificationDto } from './notification.dto.js';
import { CURRENT_RULES } from './notification.sql.js';
import { putNotification } from './put-notification.js';
import { renewRuleset } from './renew-ruleset.js';

const TAKEN = invalidField('name', 'already_exists', 'is already used by another notification of the event');

/** Ends the transaction of a draft. */
class RolledBack extends Error {
  constructor(readonly rules: Rule[]) {
    super('a draft is not stored');
  }
}

interface PutHooks {
  /** May refuse the change; nobody else changes the rule then. */
  allow?: (tx: Transaction) => Promise<void>;
  /** Called with the fields in the templates that do not exist, such as `user.firstname`. */
  warn?: (fields: string[]) => void;
}

/** Changes of an event's rules over HTTP, and drafts of such changes. */
@Injectable()
export class NotificationChanges {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly inspector: TemplateInspector,
  ) {}

  /** Runs `work`, and stores the rules that it leaves as the event's new ruleset. `read`: what to answer, read in the same transaction. */
  async run<Done, Result>(
    scope: Scope,
    work: (tx: Transaction) => Promise<Done>,
    read: (tx: Transaction, done: Done) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        // One change at a time: of two concurrent changes, each would store a ruleset without the other change.
        const [event] = await lockRows(tx, 'events', [scope.eventId], 'no key update');
        if (event === undefined) throw notFound('event');
        const done = await work(tx);
        const excess = await renewRuleset(tx, scope.eventId, this.config.quotas);
        if (excess) throw quotaExceeded(excess.quota, excess.detail);
        // Read before the commit: after it, a read that fails would say that nothing was changed.
        return read(tx, done);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw TAKEN;
      if (isForeignKeyViolation(error))
        throw conflict('Another request has just deleted a list or channel of the notification. Choose another one.');
      throw error;
    }
  }

  /** Creates a rule; with an id, changes that one. `read` gets its id. */
  async put<Result>(
    scope: Scope,
    id: number | null,
    body: UpdateNotificationDto,
    read: (tx: Transaction, id: number) => Promise<Result>,
    { allow, warn }: PutHooks = {},
  ): Promise<Result> {
    const name = body.name?.trim();
    const fields = { ...body, name, templates: body.templates && readTemplates(body.templates) };
    const identity = id === null ? { name: name ?? '' } : { id };
    const inspect = await this.inspect(scope.organizationId, fields.templates ?? []);
    const work = async (tx: Transaction) => {
      const where = { eventId: scope.eventId, ...identity };
      const row = await tx.notification.findFirst({ where, select: { id: true } });
      if (id === null && row) throw TAKEN;
      if (id !== null && !row) throw notFound('notification');
      await allow?.(tx);
      const put = await putNotification({ tx, dispatchers: this.dispatchers, inspect }, scope, identity, fields);
      if ('errors' in put) throw invalid(put.errors);
      return put.id;
    };
    const result = await this.run(scope, work, read);
    const unknown = (fields.templates ?? []).flatMap((template) => inspect(template).unknown.map(({ field }) => field));
    warn?.([...new Set(unknown)]);
    return result;
  }

  /** Inspects the templates before the transaction: it would lock the event for as long as other templates are inspected. */
  private async inspect(organizationId: number, templates: TemplateFields[]): Promise<Inspect> {
    const reports = await this.inspector.inspectAll(organizationId, templates);
    return (template) => reports.get(template)!;
  }

  /**
   * The rules that the event would have after `put`. It is a change that is rolled back: a draft meets every check of a change, and nothing of
   * it is stored, announced or audited. The locks end with it.
   */
  async draft(scope: Scope, id: number | null, body: UpdateNotificationDto): Promise<Rule[]> {
    try {
      return await this.put(scope, id, body, async (tx): Promise<never> => {
        const [event] = await tx.$queryRawUnsafe<{ rules: Rule[] }[]>(CURRENT_RULES, scope.eventId);
        throw new RolledBack(event!.rules);
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.rules;
      throw error;
    }
  }
}
