import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { RateLimits } from '../../auth/quota/rate-limit.js';
import { BounceAddresses } from '../../dispatcher/bounce/bounce-address.js';
import { BounceServer } from './bounce-server.js';
import { feedbackEvent, referenceInFeedback } from '../../dispatcher/bounce/feedback-event.js';
import { readReportMail } from '../../dispatcher/bounce/report-mail.js';
import type { ReportMail } from '../../dispatcher/bounce/report-mail.js';
import { statusEvent } from '../../dispatcher/bounce/status-event.js';
import { readReference } from '../../dispatcher/report/reference.js';
import type { ReadReports } from '../../dispatcher/report/report.js';
import { ProviderReports } from '../../engine/provider-report/provider-reports.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { describeError } from '../../platform/config/describe-error.js';
import { Database } from '../../platform/database/database.js';
import { LogThrottle } from '../../platform/http/log-throttle.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { FIND_MAIL } from './provider-report.sql.js';

/** Mails in a second. They take time that requests need too; the servers that send them wait and try again. */
const MAX_A_SECOND = 500;
/** Of the mails of one organization: its bounces must not delay those of others. */
const MAX_OF_ORGANIZATION = 100;
/** Anybody may send complaints. So they have a budget of their own, and each network has a part of it. */
const MAX_COMPLAINTS = 50;
const MAX_COMPLAINTS_OF_NETWORK = 10;

/** Mail services send the complaints of their users to an address that was registered with them. */
const COMPLAINTS = /^complaints@/i;

interface FoundMail {
  id: number;
  organizationId: number;
  recipient: string;
}

/** Receives what mail servers report about mails, and stores it as the reports of mail services are stored. */
@Injectable()
export class BounceIntake implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Bounces');
  private readonly seldom = new LogThrottle();
  private readonly rate = new RateLimits<string>();
  private server: BounceServer | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly addresses: BounceAddresses,
    private readonly database: Database,
    private readonly reports: ProviderReports,
    private readonly telemetry: Telemetry,
  ) {}

  /** The port that mails are received on; null: none are. */
  get port(): number | null {
    return this.server?.port ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bounceHost: host, bouncePort: port } = this.config;
    if (port === null) return;
    const accepts = (address: string) => COMPLAINTS.test(address) || this.addresses.referenceIn(address) !== null;
    const take = (address: string, raw: Buffer, network: string) => this.take(address, raw, network);
    this.server = await BounceServer.listen({ host, port, accepts, take });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.server?.close();
  }

  private async take(address: string, raw: Buffer, network: string): Promise<void> {
    try {
      if (COMPLAINTS.test(address)) {
        this.spend(`network ${network}`, MAX_COMPLAINTS_OF_NETWORK);
        this.spend('complaints', MAX_COMPLAINTS);
      } else this.spend('bounces', MAX_A_SECOND);
      await this.store(address, raw);
    } catch (error) {
      this.seldom.log('bounce', () => this.logger.warn({ message: 'report not stored', error: describeError(error) }));
      throw error;
    }
  }

  private spend(budget: string, limit: number): void {
    if (this.rate.take(budget, limit).waitMs > 0) throw new Error('too many mails');
  }

  private async store(address: string, raw: Buffer): Promise<void> {
    const report = readReportMail(raw);
    const reference = report && this.referenceOf(address, report);
    if (!report || reference === null) return this.count(report ? 'forged' : 'unknown', 1);
    const mail = await this.find(reference);
    if (!mail) return this.count('dropped', 1);
    this.spend(`organization ${mail.organizationId}`, MAX_OF_ORGANIZATION);
    const read = eventsOf(report, { reference, recipient: mail.recipient });
    const events = read.filter((event) => event !== null);
    this.count('unknown', read.length - events.length);
    await this.reports.add(mail, events);
  }

  /** What a mail is about follows from the address that it came to. Only complaints may come to another one. */
  private referenceOf(address: string, report: ReportMail): string | null {
    const { addresses } = this;
    if (!COMPLAINTS.test(address)) return addresses.referenceIn(address);
    return report.kind === 'feedback' ? referenceInFeedback(report.feedback, report.original, addresses) : null;
  }

  /** The delivery names the channel and the organization: the address was signed for this delivery alone. */
  private async find(reference: string): Promise<FoundMail | null> {
    const named = readReference(reference);
    if (!named) return null;
    const values = [named.occurrence, named.delivery];
    return (await this.database.query<FoundMail>('find-returned-mail', FIND_MAIL, values)).rows[0] ?? null;
  }

  private count(outcome: 'forged' | 'unknown' | 'dropped', count: number): void {
    this.telemetry.metrics?.providerReported(outcome, count);
  }
}

function eventsOf(report: ReportMail, mail: { reference: string; recipient: string }): ReadReports {
  const now = new Date();
  if (report.kind === 'feedback') return [feedbackEvent(report.feedback, mail.reference, now)];
  return report.recipients.map((fields) => statusEvent(fields, report.failed, mail, now));
}
