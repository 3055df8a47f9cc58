import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { notFound, quotaExceeded } from '../../platform/http/problem.js';
import { Resources } from '../resource/resources.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { TemplateParts } from '../../rules/template/template.js';
import { readTemplates } from './notification-templates.js';
import type { Inspect, TemplateFields } from './notification-templates.js';
import type { UpdateNotificationDto } from './notification.dto.js';
import { CURRENT_RULES } from './notification.sql.js';
import { putNotification } from './notification.write.js';
import { usesFragments } from './template.write.js';
import { renewRuleset } from './renew-ruleset.js';

/** The rules of an event with a draft of one of them. */
export interface Draft {
  rules: Rule[];
  /** The id of the one that is drafted. */
  id: number;
}

/** Ends the transaction of a draft. */
class RolledBack extends Error {
  constructor(readonly draft: Draft) {
    super('a draft is not stored');
  }
}

interface PutOptions {
  /** Whether `If-Match` is ignored. */
  isUnconditional?: true;
  /** Called with the fields in the templates that do not exist, such as `user.firstname`. */
  warn?: (fields: string[]) => void;
}

/** Changes of an event's rules over HTTP, and drafts of such changes. */
@Injectable()
export class NotificationChanges {
  constructor(
    private readonly resources: Resources,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly inspector: TemplateInspector,
  ) {}

  /** Creates a notification; with an id, changes that one. `read` gets its id. */
  async put<Result extends object>(
    scope: Scope,
    id: number | null,
    body: UpdateNotificationDto,
    read: (tx: Transaction, id: number) => Promise<Result>,
    { warn, isUnconditional }: PutOptions = {},
  ): Promise<Result> {
    const name = body.name?.trim();
    const fields = { ...body, name, templates: body.templates && readTemplates(body.templates) };
    const inspect = await this.inspect(scope.organizationId, fields.templates ?? []);
    const identity = id === null ? { name: name ?? '' } : { id };
    const put = async (tx: Transaction) => {
      const row = await putNotification({ tx, dispatchers: this.dispatchers, inspect }, scope, identity, fields);
      if (!('errors' in row)) await this.renew(tx, scope);
      return row;
    };
    const isShared = (fields.templates ?? []).some((template) => usesFragments(template, inspect));
    const change = { ...this.lockOf(scope, isShared), isUnconditional, put, read };
    const result = await (id === null
      ? this.resources.create(scope, change)
      : this.resources.update(scope, id, change));
    const unknown = (fields.templates ?? []).flatMap((template) => inspect(template).unknown.map(({ field }) => field));
    warn?.([...new Set(unknown)]);
    return result;
  }

  async remove(scope: Scope, id: number, read: (tx: Transaction) => Promise<object>): Promise<void> {
    const remove = async (tx: Transaction) => {
      const { count } = await tx.notification.deleteMany({ where: { id, eventId: scope.eventId } });
      if (count === 0) throw notFound('notification');
      await this.renew(tx, scope);
    };
    await this.resources.remove(scope, id, { ...this.lockOf(scope), read, remove });
  }

  /** One change at a time: of two concurrent changes, each would store a ruleset without the other change. */
  private lockOf({ organizationId, eventId }: Scope, isShared = false) {
    const lock = async (tx: Transaction) => {
      // As the change of a layout does: the organization first, then its events.
      if (isShared) await lockRows(tx, 'organizations', [organizationId], 'share');
      const [event] = await lockRows(tx, 'events', [eventId], 'no key update');
      if (event === undefined) throw notFound('event');
    };
    return { noun: 'notification', lock } as const;
  }

  /** Stores the notifications that a change leaves as the event's new ruleset. */
  private async renew(tx: Transaction, { eventId }: Scope): Promise<void> {
    const excess = await renewRuleset(tx, eventId, this.config.quotas);
    if (excess) throw quotaExceeded(excess.quota, excess.detail);
  }

  /** Inspects the templates before the transaction: it would lock the event for as long as other templates are inspected. */
  private async inspect(organizationId: number, templates: TemplateFields[]): Promise<Inspect> {
    const reports = await this.inspector.inspectAll<TemplateParts>(organizationId, templates);
    return (template) => reports.get(template)!;
  }

  /**
   * The rules that the event would have after `put`. It is a change that is rolled back: a draft meets every check of a change, and nothing of
   * it is stored, announced or audited. The locks end with it.
   */
  async draft(scope: Scope, id: number | null, body: UpdateNotificationDto): Promise<Draft> {
    try {
      const stop = async (tx: Transaction, draft: number): Promise<never> => {
        const [event] = await tx.$queryRawUnsafe<{ rules: Rule[] }[]>(CURRENT_RULES, scope.eventId);
        throw new RolledBack({ rules: event!.rules, id: draft });
      };
      return await this.put(scope, id, body, stop, { isUnconditional: true });
    } catch (error) {
      if (error instanceof RolledBack) return error.draft;
      throw error;
    }
  }
}
