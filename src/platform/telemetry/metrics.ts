import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { AttemptOutcome, DeliveryStatus } from '../database/generated/prisma/enums.js';
import { QUOTA_NAMES } from '../config/quota.js';
import { version } from '../config/version.js';
import { QueueDepth } from './queue-depth.js';

const TRIGGER_OUTCOMES = ['created', 'replayed', 'refused', 'failed'] as const;
type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number];
const PROVIDER_REPORTS = ['applied', 'repeated', 'waiting', 'dropped', 'unknown', 'forged'] as const;
type ProviderReportOutcome = (typeof PROVIDER_REPORTS)[number];
const REPORT_OUTCOMES = ['sent', 'retry', 'dropped'] as const;
type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
export type DeliveryOutcome = AttemptOutcome | Exclude<DeliveryStatus, 'pending'>;

/** All metrics of one process, as data. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SENT_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 14_400, 86_400];

/**
 * All metrics, except those of Node itself, in one list. No label names a tenant, a channel or a user: the number of label values
 * does not grow with the number of customers. One observation costs about a microsecond of CPU.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly queue: QueueDepth;

  private readonly triggers = this.counter('carillon_triggers_total', ['outcome'], {
    help: 'Triggers by outcome: created, replayed (its Idempotency-Key was used before), refused (a 4xx), failed (a 5xx).',
  });
  private readonly requests = this.histogram('carillon_http_request_duration_seconds', ['method', 'route', 'status'], {
    help: 'Duration of HTTP requests, except streams, by route and class of status (2xx, 4xx, ...); aborted: the client left before the answer.',
    buckets: REQUEST_SECONDS,
  });
  private readonly deliveries = this.counter('carillon_deliveries_total', ['channel_type', 'outcome'], {
    help: 'Deliveries that a worker handled: sent, rejected (by the provider, no retry), retry (to be tried again), dead (given up), skipped.',
  });
  private readonly attempts = this.histogram('carillon_attempt_duration_seconds', ['channel_type', 'outcome'], {
    help: 'Duration of calls to providers, by outcome: sent, rejected, retry.',
    buckets: ATTEMPT_SECONDS,
  });
  private readonly sentAfter = this.histogram('carillon_trigger_to_sent_seconds', ['channel_type'], {
    help: 'Time from a trigger (its send_at, or a retry by hand) until a delivery was sent, including retries.',
    buckets: SENT_SECONDS,
  });
  private readonly jobs = this.gauge('carillon_queue_ready_jobs', ['task'], {
    help: 'Jobs of the whole installation that are due and not running, by task; counted up to 10,000.',
  });
  private readonly oldest = this.gauge('carillon_queue_oldest_ready_job_seconds', ['task'], {
    help: 'How long the oldest job of the whole installation has been due without running, by task.',
  });

  private readonly resting = this.gauge('carillon_channels_resting', [], {
    help: 'Channels of the whole installation that rest because their provider keeps failing.',
  });
  private readonly reports = this.counter('carillon_status_webhook_reports_total', ['outcome'], {
    help: 'Reports to status webhooks: sent, retry (to be tried again), dropped (refused, or given up).',
  });
  private readonly providerReports = this.counter('carillon_provider_reports_total', ['outcome'], {
    help: 'Reports of providers: applied, repeated (known already), waiting (its delivery is not stored yet), dropped (waited in vain), unknown (an event that is not used), forged (a wrong signature).',
  });
  private readonly refusals = this.counter('carillon_quota_refusals_total', ['quota'], {
    help: 'Requests that were refused because of a quota of their organization, by quota.',
  });
  private readonly nearQuota = this.gauge('carillon_organizations_near_quota', [], {
    help: 'Organizations of the whole installation that stored at least 80 % of their quota stored_mb at the last hourly measurement.',
  });
  private readonly unacknowledged = this.gauge('carillon_unacknowledged', [], {
    help: 'Occurrences of the whole installation with open steps that ask for an acknowledgement, and that nobody has acknowledged; counted up to 10,000.',
  });
  private readonly build = this.gauge('carillon_build_info', ['version', 'node_version'], {
    help: 'The version of Carillon and of Node.js, as labels; always 1.',
  });

  constructor(pool: Pool) {
    this.queue = new QueueDepth(pool);
    this.watchPool(pool);
    collectDefaultMetrics({ register: this.registry });
    // Exported as 0 from the start: otherwise a rate would miss the first trigger of each outcome.
    for (const outcome of TRIGGER_OUTCOMES) this.triggers.inc({ outcome }, 0);
    for (const outcome of PROVIDER_REPORTS) this.providerReports.inc({ outcome }, 0);
    for (const outcome of REPORT_OUTCOMES) this.reports.inc({ outcome }, 0);
    for (const quota of QUOTA_NAMES) this.refusals.inc({ quota }, 0);
    this.build.set({ version, node_version: process.versions.node }, 1);
  }

  triggered(outcome: TriggerOutcome): void {
    this.triggers.inc({ outcome });
  }

  answered(method: string, route: string, status: number | 'aborted', seconds: number): void {
    const label = status === 'aborted' ? status : `${Math.floor(status / 100)}xx`;
    this.requests.observe({ method, route, status: label }, seconds);
  }

  delivered(channelType: string, outcome: DeliveryOutcome, count = 1): void {
    this.deliveries.inc({ channel_type: channelType, outcome }, count);
  }

  attempted(channelType: string, outcome: AttemptOutcome, seconds: number): void {
    this.attempts.observe({ channel_type: channelType, outcome }, seconds);
  }

  sent(channelType: string, secondsAfterTrigger: number): void {
    this.sentAfter.observe({ channel_type: channelType }, secondsAfterTrigger);
  }

  reported(outcome: ReportOutcome): void {
    this.reports.inc({ outcome });
  }

  providerReported(outcome: ProviderReportOutcome, count: number): void {
    if (count > 0) this.providerReports.inc({ outcome }, count);
  }

  refused(quota: string): void {
    this.refusals.inc({ quota });
  }

  async measure(): Promise<Measured> {
    const { depths, resting, nearQuota, unacknowledged } = await this.queue.read();
    // When the database does not answer there are no figures: old ones would look like new ones.
    this.jobs.reset();
    this.oldest.reset();
    this.resting.remove();
    if (resting !== undefined) this.resting.set(resting);
    this.nearQuota.remove();
    if (nearQuota !== undefined) this.nearQuota.set(nearQuota);
    this.unacknowledged.remove();
    if (unacknowledged !== undefined) this.unacknowledged.set(unacknowledged);
    for (const { task, ready, ageSeconds } of depths) {
      this.jobs.set({ task }, ready);
      this.oldest.set({ task }, ageSeconds);
    }
    return this.registry.getMetricsAsJSON();
  }

  private watchPool(pool: Pool): void {
    const gauge = (name: string, help: string, read: () => number) =>
      this.gauge(name, [], {
        help,
        collect() {
          this.set(read());
        },
      });
    gauge('carillon_database_connections', 'Open connections of the pool.', () => pool.totalCount);
    gauge('carillon_database_connections_idle', 'Idle connections of the pool.', () => pool.idleCount);
    gauge(
      'carillon_database_connections_max',
      'The most connections that the pool may open (DATABASE_POOL_MAX).',
      () => pool.options.max,
    );
    gauge('carillon_database_waiting', 'Statements that wait for a connection of the pool.', () => pool.waitingCount);
  }

  private counter<Label extends string>(name: string, labelNames: Label[], more: { help: string }): Counter<Label> {
    return new Counter({ name, labelNames, registers: [this.registry], ...more });
  }

  private histogram<Label extends string>(
    name: string,
    labelNames: Label[],
    more: { help: string; buckets: number[] },
  ): Histogram<Label> {
    return new Histogram({ name, labelNames, registers: [this.registry], ...more });
  }

  private gauge<Label extends string>(
    name: string,
    labelNames: Label[],
    more: { help: string; collect?: (this: Gauge<Label>) => void },
  ): Gauge<Label> {
    return new Gauge({ name, labelNames, registers: [this.registry], ...more });
  }
}
