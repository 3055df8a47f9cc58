import { Inject, Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { Quotas } from '../../platform/config/quota.js';
import type { Actor } from '../../platform/database/actor.js';
import { outageOf } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Problem } from '../../platform/http/problem.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import { TriggerService } from '../event/trigger.service.js';
import { dueSlots } from './cron.js';
import type { DueSlots } from './cron.js';
import { addRuns, forgetPlanned, planNext } from './plan-schedule.js';
import type { PlannedEvent, Run } from './plan-schedule.js';
import { CLAIM_SLOT, FORGET_OLD_RUNS, LOAD_DUE } from './schedule.sql.js';

/** How often to look for slots that have come, and how many to run in a round. */
const CHECK_MS = 1000;
const MOST = 100;

const BY: Actor = { actor: 'schedule' };

interface DueRow extends PlannedEvent {
  slot: Date;
  now: Date;
  context: Record<string, unknown>;
  options: Record<string, unknown>;
  projectId: number;
  applicationId: number;
  organization: string;
  project: string;
  application: string;
  event: string;
  resolvesEvent: string | null;
  quotas: Partial<Quotas>;
  storedBytes: number;
  off: Off | null;
}

/** Thrown when another process has the slot. */
const TAKEN = new Error('another process runs the slot');

/**
 * Triggers events whose slot has come. Every process with the API looks for slots. The one that locks a slot stores its occurrence, its result and
 * the next slot in one transaction, so each slot is run once, whichever process dies.
 */
@Injectable()
export class RunSchedules extends BackgroundLoop {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly triggers: TriggerService,
    private readonly scopes: ScopeService,
    private readonly stored: StoredBytes,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super({
      ...{ name: 'RunSchedules', failure: 'could not run schedules, will retry' },
      ...{ everyMs: CHECK_MS, firstMs: 0, isAwaited: true },
    });
  }

  protected override async round(): Promise<void> {
    const { rows } = await this.database.query<DueRow>('load-due-slots', LOAD_DUE, [MOST]);
    for (const row of rows) {
      if (this.stopping.aborted) return;
      await this.run(row).catch((error: unknown) => this.failed(row, error as Error));
    }
  }

  private async run(row: DueRow): Promise<void> {
    const due = dueSlots(row.cron, row.timeZone, row.slot, row.now);
    try {
      if (due.run === null) return await this.finish(row, due, {});
      if (row.off) return await this.finish(row, due, { skipped: `the ${row.off[0]} was switched off` });
      await this.trigger(row, due);
    } catch (error) {
      if (error === TAKEN) return;
      if (!(error instanceof Problem)) throw error;
      if (isPassing(error)) return;
      await this.finish(row, due, { skipped: reasonOf(error) }).catch((again: unknown) => {
        if (again !== TAKEN) throw again;
      });
    }
  }

  /** A slot that fails must not keep back the others. It stays planned, and is tried again for an hour. */
  private failed({ organization, event, slot }: DueRow, error: Error): void {
    if (outageOf(error)) throw error;
    this.logger.error({
      message: 'could not run a schedule, will retry',
      organization,
      event,
      slot,
      error: error.message,
    });
  }

  /** As a trigger over HTTP: the quotas first, then the body. */
  private async trigger(row: DueRow, due: DueSlots): Promise<void> {
    const { organizationId, context, options } = row;
    const quotas = { ...this.config.quotas, ...row.quotas };
    this.stored.read(organizationId, row.storedBytes);
    this.scopes.spendTrigger(organizationId, quotas);
    await this.triggers.triggerWith(scopeOf(row, quotas), { context, options }, (tx, occurrence) =>
      this.write(tx, row, due, { occurrence }),
    );
  }

  /** Ends slots without an occurrence. */
  private finish(row: DueRow, due: DueSlots, result: Omit<Run, 'slot'>): Promise<void> {
    return this.prisma.change(BY, (tx) => this.write(tx, row, due, result));
  }

  private async write(tx: Transaction, row: DueRow, due: DueSlots, result: Omit<Run, 'slot'>): Promise<void> {
    const { eventId, slot, now } = row;
    const claimed = await tx.$queryRawUnsafe<unknown[]>(CLAIM_SLOT, eventId, slot.toISOString());
    if (claimed.length === 0) throw TAKEN;
    await forgetPlanned(tx, eventId);
    const missed = due.missed.map((each) => ({ slot: each, skipped: due.run ? NOT_LATEST : TOO_OLD }));
    await addRuns(tx, row, missed);
    if (due.run && (await addRuns(tx, row, [{ slot: due.run, ...result }])) === 0) throw TAKEN;
    await planNext(tx, row, now);
    await tx.$executeRawUnsafe(FORGET_OLD_RUNS, eventId);
  }
}

const NOT_LATEST = 'no process ran at that time, and only the latest missed slot is run';
const TOO_OLD = 'no process ran within an hour of that time';

/** Whether the slot is tried again: the service is busy, or the database does not answer. */
const isPassing = ({ status }: Problem) => status === 429 || status >= 500;

function reasonOf({ errors, detail }: Problem): string {
  const [first] = Object.entries(errors ?? {});
  return first ? `${first[0]} ${first[1][0]!.sentence}` : detail;
}

/** The scope of a trigger over HTTP. Permissions were checked when the schedule was set. */
function scopeOf(row: DueRow, quotas: Quotas): Scope {
  const { organizationId, projectId, applicationId, eventId } = row;
  const path = { org: row.organization, prj: row.project, app: row.application, evt: row.event };
  const key = {
    ...{ id: 0, name: BY.actor, permissions: [Permission.EventTrigger, Permission.EventTriggerCritical] },
    ...{ isOperator: false, organizationId, projectId, applicationId, expiresAt: null, via: null, parentId: null },
    ...{ rateLimit: null, rateLimitOf: 0 },
  };
  const ids = { organizationId, projectId, applicationId, eventId, userId: null, listId: null, occurrenceId: null };
  return new Scope(key, path, ids, quotas, null, row.resolvesEvent);
}
