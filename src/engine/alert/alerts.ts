import { Inject, Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { AlertSettings } from './alert-settings.js';
import { COUNT_FAILING } from '../../platform/queue/paused.sql.js';
import {
  ALERTED,
  CHANNEL_OF_INCIDENT,
  CLAIM_INCIDENT,
  CLAIM_LOCK,
  EVENT_OF_INCIDENT,
  FORGET_INCIDENTS,
  NOTE_INCIDENTS,
  OLDEST_WAITING,
  TELL_INCIDENT,
} from './alert.sql.js';
import type { AlertSubject } from './alert-text.js';
import { SendAlert } from './send-alert.js';
import type { AlertedOrganization } from './send-alert.js';

const EVERY_MS = 20_000;
const MINUTE_MS = 60_000;
const MAX_COUNT = 1000;

interface AlertedRow extends AlertedOrganization {
  alerts: AlertSettings;
}

interface Incident {
  id: number;
  kind: AlertSubject['kind'];
  subject: string;
  since: Date;
  closedAt: Date | null;
}

/**
 * Tells the users that an organization has chosen what needs somebody, once when it begins and once when it is over. Every worker process looks;
 * one of them claims an incident. A process that is killed between sending and writing it down leaves it to be sent again.
 */
@Injectable()
export class Alerts extends BackgroundLoop {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly sender: SendAlert,
    @Inject(CONFIG) private readonly config: Pick<Config, 'linksUrl'>,
  ) {
    super({
      name: 'Alerts',
      failure: 'could not look for what needs somebody, will retry',
      everyMs: EVERY_MS,
      firstMs: EVERY_MS / 2,
      isAwaited: true,
    });
  }

  override async round(): Promise<void> {
    const { rows } = await this.database.query<AlertedRow>('alerted', ALERTED, []);
    for (const organization of rows) {
      if (this.stopping.aborted) return;
      await this.note(organization);
      // Each tells one, and there are at most so many in an hour.
      for (let told = true; told && !this.stopping.aborted;) told = await this.tellNext(organization);
    }
  }

  private async note({ id, alerts: { waiting_minutes: minutes } }: AlertedRow): Promise<void> {
    let since: Date | null = null;
    if (minutes !== null) {
      const { rows } = await this.database.query<{ since: Date | null }>('oldest-waiting', OLDEST_WAITING, [id]);
      since = rows[0]!.since;
      if (since && Date.now() - since.getTime() < minutes * MINUTE_MS) since = null;
    }
    await this.database.query('note-incidents', NOTE_INCIDENTS, [id, since]);
    await this.database.query('forget-incidents', FORGET_INCIDENTS, [id]);
  }

  private async tellNext(organization: AlertedRow): Promise<boolean> {
    const incident = await this.claim(organization);
    if (!incident) return false;
    const about = await this.aboutOf(organization, incident);
    // A channel that is switched off or deleted does not work again, and nobody waits for the news.
    const isTold = about === null || (await this.sender.send(organization, about, channelOf(incident)));
    await this.database.query('tell-incident', TELL_INCIDENT, [incident.id, isTold]);
    return isTold;
  }

  private claim({ id, alerts }: AlertedRow): Promise<Incident | undefined> {
    return this.prisma.$transaction(async (tx) => {
      const [lock] = await tx.$queryRawUnsafe<{ locked: boolean }[]>(CLAIM_LOCK, id);
      if (!lock!.locked) return undefined;
      return (await tx.$queryRawUnsafe<Incident[]>(CLAIM_INCIDENT, id, alerts.per_hour))[0];
    });
  }

  /** Null: there is nothing to say any more. */
  private async aboutOf(organization: AlertedRow, incident: Incident): Promise<AlertSubject | null> {
    const { kind, subject, since, closedAt } = incident;
    const isOver = closedAt !== null;
    const common = { kind, isOver, since, organization: organization.name, url: this.urlOf(organization, incident) };
    if (kind === 'backlog') return { ...common, path: '', answer: '', waiting: 0 };
    const values = [organization.id, subject];
    if (kind === 'held') {
      const { rows } = await this.database.query<{ path: string }>('event-of-incident', EVENT_OF_INCIDENT, values);
      return rows[0] ? { ...common, path: rows[0].path, answer: '', waiting: 0 } : null;
    }
    type Row = { path: string; enabled: boolean };
    const { rows } = await this.database.query<Row>('channel-of-incident', CHANNEL_OF_INCIDENT, values);
    if (!rows[0]?.enabled) return null;
    type Counted = { waiting: number; lastFailure: string | null };
    const counted = await this.database.query<Counted>('count-failing', COUNT_FAILING, [
      Number(subject),
      organization.id,
      MAX_COUNT,
    ]);
    const { waiting, lastFailure } = counted.rows[0]!;
    return { ...common, path: rows[0].path, waiting, answer: lastFailure ?? '' };
  }

  private urlOf({ slug }: AlertedRow, { kind, subject }: Incident): string | null {
    const { linksUrl } = this.config;
    return linksUrl && `${linksUrl}/console/o/${slug}${kind === 'held' ? `/occurrences/${subject}` : ''}`;
  }
}

/** The channel that must not carry the alert. */
const channelOf = ({ kind, subject, closedAt }: Incident): number | null =>
  kind === 'channel' && closedAt === null ? Number(subject) : null;
