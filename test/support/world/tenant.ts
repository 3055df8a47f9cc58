import { expect } from '@jest/globals';
import type { Pool } from 'pg';
import type {
  ChannelEntry,
  DistributionListEntry,
  NotificationEntry,
  StatusWebhookEntry,
  UserEntry,
} from '../../../src/operate/provisioning/file.js';
import type { TestApp } from '../app/app.js';
import { until } from '../until.js';

/** What a tenant of one project, one application and one event is made of. */
export interface Given {
  channels?: ChannelEntry[];
  users?: UserEntry[];
  lists?: DistributionListEntry[];
  notifications?: NotificationEntry[];
  retentionDays?: number | null;
  maxRecipients?: number | null;
  /** Which of them are on. */
  enabled?: { project?: boolean; application?: boolean; event?: boolean };
  statusWebhook?: StatusWebhookEntry | null;
}

export interface DeliveryRow {
  id: string;
  notification: string;
  channel: string;
  /** Null for a post to a room. */
  user: string | null;
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  gate: string | null;
  reason: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
}

export interface AttemptRow {
  number: number;
  at: Date;
  durationMs: number;
  outcome: 'sent' | 'rejected' | 'retry';
  answer: string;
}

export interface DecisionRow {
  name: string;
  verdict: string;
  reason?: string;
  channels: { slug: string; verdict: string }[];
}

/** How long a story may take to come to its end. */
const PATIENCE_MS = 15_000;

export const webhook = (slug: string, url: string, config: ChannelEntry['config'] = {}): ChannelEntry => ({
  slug,
  name: slug,
  type: 'webhook',
  config: { url, ...config },
});

export const mail = (slug: string, port: number, config: ChannelEntry['config'] = {}): ChannelEntry => ({
  slug,
  name: slug,
  type: 'email',
  config: { host: '127.0.0.1', port, security: 'none', from: 'Acme <no-reply@acme.test>', ...config },
});

export const inbox = (slug: string): ChannelEntry => ({ slug, name: slug, type: 'inbox' });

/** Stories are about users: over a webhook too, each of them gets a message. `per: undefined` leaves it to the service. */
const toUsers = (rule: NotificationEntry): NotificationEntry => ({
  ...rule,
  templates: rule.templates?.map((template) => ({ per: 'person', ...template })),
});

/** The provisioning file of such a tenant; JSON is YAML too. */
export function fileOf(
  org: string,
  { channels, users, lists, notifications, retentionDays, maxRecipients, enabled = {}, statusWebhook }: Given,
): string {
  const limits = { enabled: enabled.event, max_recipients: maxRecipients, retention_days: retentionDays };
  const events = [{ slug: 'order-paid', name: 'Order paid', ...limits, notifications: notifications?.map(toUsers) }];
  const webhook = { status_webhook: statusWebhook };
  const applications = [{ slug: 'web', name: 'Web shop', enabled: enabled.application, ...webhook, events }];
  const projects = [{ slug: 'shop', name: 'Shop', enabled: enabled.project, distribution_lists: lists, applications }];
  return JSON.stringify({ organizations: [{ slug: org, name: `The ${org}`, channels, users, projects }] });
}

let count = 0;

/** An organization with one event, `order-paid`: each story has its own, beside the others in one service. */
export class Tenant {
  private constructor(
    private readonly app: TestApp,
    readonly org: string,
    readonly key: string,
  ) {}

  static async create(app: TestApp, given: Given): Promise<Tenant> {
    const org = `tenant-${++count}`;
    await app.apply(fileOf(org, given));
    return new Tenant(app, org, await app.key({ org }));
  }

  /** Changes or adds what is given; everything else stays. */
  apply(given: Given): Promise<void> {
    return this.app.apply(fileOf(this.org, given));
  }

  /** Triggers `order-paid` and answers its occurrence. */
  async trigger(context: object = {}, options: object = {}): Promise<string> {
    const path = `/api/o/${this.org}/p/shop/a/web/e/order-paid/trigger/`;
    const { status, body } = await this.app.as(this.key).post(path).send({ context, options });
    expect([status, body]).toEqual([201, { occurrence: expect.any(String) }]);
    return (body as { occurrence: string }).occurrence;
  }

  /** Triggers an occurrence that has expired when a worker takes it. */
  async triggerExpired(context: object = {}, expiresAt = '2020-01-01T08:00:00Z'): Promise<string> {
    const occurrence = await this.trigger(context, { send_at: new Date(Date.now() + 86_400_000).toISOString() });
    const expired = `update occurrences set options = jsonb_build_object('expires_at', $2::text) where id = $1`;
    await this.app.pool.query(expired, [occurrence, expiresAt]);
    await this.app.pool.query(`update jobs set run_at = now() where payload -> 'occurrences' ? $1`, [occurrence]);
    return occurrence;
  }

  /** Triggers, and waits until it has come to its end. */
  async triggerAndSettle(context: object = {}, options: object = {}): Promise<DeliveryRow[]> {
    return this.settled(await this.trigger(context, options));
  }

  /** Waits until all its users are worked out and nothing is left to be sent. */
  settled(occurrence: string, patienceMs = PATIENCE_MS, status = 'expanded'): Promise<DeliveryRow[]> {
    return until(patienceMs, async () => {
      if (!(await isExpanded(this.app.pool, occurrence, status))) return null;
      const rows = await this.deliveries(occurrence);
      return rows.every(({ status }) => status !== 'pending') && rows;
    });
  }

  /** Waits until every message that is left to be sent was tried so many times. */
  tried(occurrence: string, attempts: number): Promise<DeliveryRow[]> {
    return until(PATIENCE_MS, async () => {
      if (!(await isExpanded(this.app.pool, occurrence))) return null;
      const rows = await this.deliveries(occurrence);
      return rows.every((row) => row.status !== 'pending' || row.attempts === attempts) && rows;
    });
  }

  async deliveries(occurrence: string): Promise<DeliveryRow[]> {
    const { rows } = await this.app.pool.query<DeliveryRow>(
      `select d.id, n.name notification, c.slug channel, u.email "user", d.status, d.gate, d.reason, d.attempts,
              d.next_attempt_at "nextAttemptAt"
       from deliveries d
       join notifications n on n.id = d.notification_id
       join channels c on c.id = d.channel_id
       left join users u on u.id = d.user_id
       where d.occurrence_id = $1 and (u.id is not null or d.user_id = 0)
       order by n.name, c.slug, u.email`,
      [occurrence],
    );
    return rows;
  }

  /** Every attempt for the occurrence, in order. */
  async attempts(occurrence: string): Promise<AttemptRow[]> {
    const { rows } = await this.app.pool.query<AttemptRow>(
      `select a.number, a.at, a.duration_ms "durationMs", a.outcome, a.answer
       from attempts a join deliveries d on d.id = a.delivery_id
       where d.occurrence_id = $1 order by d.id, a.number`,
      [occurrence],
    );
    return rows;
  }

  /** What became of each rule. */
  async decisions(occurrence: string): Promise<DecisionRow[]> {
    const { rows } = await this.app.pool.query<{ decisions: DecisionRow[] }>(
      'select decisions from occurrences where id = $1',
      [occurrence],
    );
    return rows[0]!.decisions;
  }
}

async function isExpanded(pool: Pick<Pool, 'query'>, occurrence: string, status = 'expanded'): Promise<boolean> {
  const sql = `select from occurrences where id = $1 and status = $2`;
  return (await pool.query(sql, [occurrence, status])).rowCount === 1;
}

/** Waits until the message is queued for its next attempt, and makes it due now. */
export async function travelToNextAttempt({ pool }: Pick<TestApp, 'pool'>): Promise<void> {
  await until(PATIENCE_MS, async () => {
    const waiting = `select from jobs where state = 'scheduled'`;
    return (await pool.query(waiting)).rowCount;
  });
  await pool.query(`update deliveries set next_attempt_at = now() - interval '1 second' where status = 'pending'`);
  await pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
}

/** Waits until the queue is empty. */
export function queueIsEmpty({ pool }: Pick<TestApp, 'pool'>, patienceMs = PATIENCE_MS): Promise<boolean> {
  return until(patienceMs, async () => (await pool.query(`select from jobs where state <> 'paused'`)).rowCount === 0);
}
