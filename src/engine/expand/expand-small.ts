import { Inject, Injectable, Logger } from '@nestjs/common';
import { compileAudience } from '../../rules/condition/audience.js';
import type { Audience } from '../../rules/condition/audience.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { LogThrottle } from '../../platform/http/log-throttle.js';
import { Database } from '../../platform/database/database.js';
import type { Job } from '../../platform/queue/task.js';
import type { ExpandContext } from '../../platform/queue/worker.js';
import type { TraceSpan } from '../../platform/telemetry/traces.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { SendFresh } from '../deliver/send-fresh.js';
import type { FreshTarget, UnsentDelivery } from '../deliver/send-fresh.js';
import { BatchLoader } from './batch-loader.js';
import { ClosedDigests } from './closed-digests.js';
import type { BatchChannel, BatchEvent, Expanded, ExpandedRow, MadeRow, WaitingRow } from './expand-small-rows.js';
import { END_WITH_REST, REPLACE_JOBS, SPLIT_OFF, expandBatch } from './expand-small.sql.js';
import { freshTarget } from './fresh-targets.js';
import { batchValues, planOf, variantOf } from './plan.js';
import type { AlonePlan, SmallPlan } from './plan.js';

const FIRST_OF_AUDIENCE = 3;

const NOBODY = 'an occurrence reaches nobody: explain says why';

/** A rule and a channel of an occurrence whose deliveries are left to a deliver job. */
type SmallRemainder = Omit<WaitingRow, 'id'> & Pick<UnsentDelivery, 'waitMs'>;

/**
 * Expands many occurrences at once and sends their messages from memory: one user or a few each, of any organization. Each step is one
 * statement for all of them. Others get a job of their own.
 */
@Injectable()
export class ExpandSmall {
  private readonly logger = new Logger('Batch');
  private readonly throttle = new LogThrottle();

  constructor(
    private readonly database: Database,
    private readonly loader: BatchLoader,
    private readonly digests: ClosedDigests,
    private readonly deliver: SendFresh,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly telemetry: Telemetry,
  ) {}

  /** Resolves when the occurrences are expanded. Their messages are then on the way. */
  async run(jobs: Job<'expand'>[], context: ExpandContext): Promise<void> {
    const again = jobs.filter((job) => !isFresh(job));
    if (again.length > 0) await this.replace(again, context);
    const fresh = jobs.filter(isFresh);
    if (fresh.length > 0) await this.runFresh(fresh, context);
  }

  /** Gives everything in these jobs jobs of its own. */
  private async replace(jobs: Job[], { worker, done }: ExpandContext): Promise<void> {
    await this.database.query('replace-jobs', REPLACE_JOBS, [jobs.map(({ id }) => id), worker]);
    for (const job of jobs) done(job);
  }

  private async runFresh(jobs: Job<'expand'>[], context: ExpandContext): Promise<void> {
    let expanded: Expanded;
    try {
      expanded = await this.load(jobs, context.worker);
    } catch (error) {
      // One bad occurrence must not stop the others: each gets a job of its own.
      this.logger.warn({ message: 'could not expand occurrences together', error: (error as Error).message });
      return this.replace(jobs, context);
    }
    this.send(jobs, expanded, context);
  }

  private async load(jobs: Job<'expand'>[], worker: string): Promise<Expanded> {
    const triggers = jobs.filter(({ payload }) => !payload.digests);
    const digests = jobs.filter(({ payload }) => payload.digests);
    const parts = [
      triggers.length > 0 ? await this.expand(triggers, worker) : NOTHING,
      digests.length > 0 ? await this.digests.load(occurrencesOf(digests)) : NOTHING,
    ];
    return { targets: parts.flatMap(({ targets }) => targets), waiting: parts.flatMap(({ waiting }) => waiting) };
  }

  private async expand(jobs: Job<'expand'>[], worker: string): Promise<Expanded> {
    const ids = occurrencesOf(jobs);
    const spans = this.startSpans(ids);
    try {
      const { occurrences, channels } = await this.loader.triggers(ids);
      const plans = occurrences.map(({ occurrence, event, rules }) => planOf(occurrence, event, rules, channels));
      const small = plans.filter((plan) => 'targets' in plan);
      const rows = await this.expandSmall(small, channels);
      const expanded = new Set(rows.map(({ occurrence }) => occurrence));
      const alone = plans
        .filter(({ occurrence }) => !expanded.has(occurrence.id))
        .map((plan) => ({ id: plan.occurrence.id, off: 'off' in plan ? plan.off : null }));
      if (alone.length > 0) await this.splitOff(jobs, alone, worker);
      this.logNobody(rows, small);
      const waiting = rows.filter((row): row is WaitingRow => row.id === null && row.notification !== null);
      return { targets: targetsOf(rows, small, channels), waiting };
    } finally {
      for (const span of spans) span.end();
    }
  }

  /** Most triggers that reach nobody are a mistake. Messages that are gathered or wait are not in these rows, and are no mistake. */
  private logNobody(rows: ExpandedRow[], plans: SmallPlan[]): void {
    const empty = new Set(rows.filter(({ notification }) => notification === null).map(({ occurrence }) => occurrence));
    if (empty.size === 0) return;
    for (const row of rows) if (row.notification !== null) empty.delete(row.occurrence);
    for (const { occurrence, event, rules } of plans) {
      if (!empty.has(occurrence.id) || rules.some(({ digest }) => digest) || isDeferred(event.recipients)) continue;
      const [organization, name] = [event.organization.slug, event.event.slug];
      this.throttle.log(`${organization}/${name}`, (more) =>
        this.logger.warn({ message: NOBODY, organization, event: name, occurrence: occurrence.id, ...more }),
      );
    }
  }

  private startSpans(ids: string[]): TraceSpan[] {
    const { traces } = this.telemetry;
    return traces ? ids.map((id) => traces.start('expand', id)) : [];
  }

  /** One statement for all occurrences without an audience, and one for each audience. */
  private async expandSmall(small: SmallPlan[], channels: Map<number, BatchChannel>): Promise<ExpandedRow[]> {
    const rows: ExpandedRow[] = [];
    for (const audience of new Set(small.map((plan) => plan.audience))) {
      const plans = small.filter((plan) => plan.audience === audience);
      const sql = audience === '' ? null : compileAudience(JSON.parse(audience) as Audience, FIRST_OF_AUDIENCE);
      const values = [...batchValues(plans, channels, this.dispatchers), ...(sql?.values ?? [])];
      const variant = variantOf(plans, channels);
      const { rooms, named, choose, gather, steps } = variant;
      const text = expandBatch(sql?.sql ?? null, variant);
      const parts = `${named ? `-${named}-named` : ''}${rooms ? '-and-rooms' : ''}${choose ? '-choose' : ''}${gather ? '-gather' : ''}${steps ? '-steps' : ''}`;
      const name = sql ? undefined : `expand-batch${parts}`;
      rows.push(...(await this.database.pool.query<ExpandedRow>({ name, text, values })).rows);
    }
    return rows;
  }

  private async splitOff(jobs: Job[], alone: { id: string; off: AlonePlan['off'] }[], worker: string): Promise<void> {
    await this.database.query('split-off', SPLIT_OFF, [
      jobs.map(({ id }) => id),
      worker,
      alone.map(({ id }) => id),
      alone.map(({ off }) => off?.[0] ?? null),
      alone.map(({ off }) => off?.[1] ?? null),
    ]);
  }

  /** Sends without waiting. A job ends when the messages of its occurrences have ended. */
  private send(jobs: Job<'expand'>[], { targets, waiting }: Expanded, { stopping, done }: ExpandContext): void {
    const jobOf = new Map(jobs.flatMap((job) => job.payload.occurrences.map((id) => [id, job] as const)));
    const open = new Map(jobs.map((job) => [job, { targets: 0, rest: [] as SmallRemainder[] }]));
    const ended = (job: Job<'expand'>) => {
      const { rest } = open.get(job)!;
      done(job, rest.length > 0 ? { text: END_WITH_REST, rows: rest.map(restRow) } : undefined);
    };
    for (const row of waiting) open.get(jobOf.get(row.occurrence)!)!.rest.push({ ...row, waitMs: 0 });
    for (const { occurrence } of targets) open.get(jobOf.get(occurrence)!)!.targets++;
    for (const [job, { targets: count }] of open) if (count === 0) ended(job);
    this.deliver.send(targets, stopping, (target, unsent) => {
      const job = jobOf.get(target.occurrence)!;
      const state = open.get(job)!;
      if (unsent) state.rest.push(restOf(unsent));
      if (--state.targets === 0) ended(job);
    });
  }
}

/** Whether users may have chosen to get the messages later. */
const isDeferred = ({ category }: BatchEvent['recipients']) => (category?.frequencies ?? []).length > 0;

const NOTHING: Expanded = { targets: [], waiting: [] };

const occurrencesOf = (jobs: Job<'expand'>[]) => jobs.flatMap(({ payload }) => payload.occurrences);

/** Whether a job was taken for the first time. One with digests counts as taken once before (`insertDigestJobs`). */
const isFresh = ({ attempts, payload }: Job<'expand'>) => attempts === (payload.digests ? 2 : 1);

const restOf = ({ target: { occurrence, notification, channel }, waitMs }: UnsentDelivery): SmallRemainder => ({
  ...{ occurrence, notification, channel: channel.id, waitMs },
});

/** In the order of END_WITH_REST. */
const restRow = ({ occurrence, notification, channel, waitMs }: SmallRemainder) => [
  occurrence,
  notification,
  channel,
  waitMs,
];

/** Groups the deliveries that were made by occurrence, rule and channel. */
function targetsOf(rows: ExpandedRow[], plans: SmallPlan[], channels: Map<number, BatchChannel>): FreshTarget[] {
  const planOfOccurrence = new Map(plans.map((plan) => [plan.occurrence.id, plan]));
  const targets = new Map<string, FreshTarget>();
  for (const row of rows) {
    if (row.id === null) continue;
    const user: MadeRow = row;
    const { occurrence, notification, channel } = user;
    const key = `${occurrence} ${notification} ${channel}`;
    const target = targets.get(key);
    if (target) {
      target.recipients.push(user);
      continue;
    }
    const { event, rules, occurrence: origin } = planOfOccurrence.get(occurrence)!;
    targets.set(key, freshTarget(user, { occurrence: origin, event, rules, digest: null }, channels.get(channel)!));
  }
  return [...targets.values()];
}
