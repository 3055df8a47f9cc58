import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { openConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { ReportedEvent, ReportReader, ReportRequest } from '../../dispatcher/report/report.js';
import { ProviderReports } from '../../engine/provider-report/provider-reports.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { Problem } from '../../platform/http/problem.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { LIFT_STOP, PUT_SUPPRESSION } from '../suppression/suppression.sql.js';
import { normalizeAddress } from '../user/address.js';
import { Answers } from './answer/answers.js';
import { FIND_CHANNEL } from './provider-report.sql.js';

/** How long a changed key may still be the old one. */
const CACHED_MS = 5000;
const MAX_CACHED = 1000;

/** Events in a request. SendGrid sends at most 768 KB of them, which are some thousand. */
const MAX_EVENTS = 5000;

/** The path of a channel. */
export interface ReportPath {
  org: string;
  /** Null: a channel of the organization itself. */
  prj: string | null;
  channel: string;
}

type ChannelRow = ChannelOwner & { id: number; type: string; config: StoredConfig };

interface ReportingChannel {
  owner: ChannelRow;
  reader: ReportReader;
}

@Injectable()
export class ProviderReportService {
  private readonly cached = new LRUCache<string, { channel: ReportingChannel | null }>({
    max: MAX_CACHED,
    ttl: CACHED_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly secrets: SecretBox,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly reports: ProviderReports,
    private readonly answers: Answers,
    private readonly telemetry: Telemetry,
  ) {}

  /** Null when there is no such channel, or none whose reports could be checked. */
  async find({ org, prj, channel }: ReportPath): Promise<ReportingChannel | null> {
    const key = JSON.stringify([org, prj, channel]);
    if (key.includes('\\u0000')) return null; // PostgreSQL takes no NUL
    const known = this.cached.get(key);
    if (known) return known.channel;
    const { rows } = await this.database.query<ChannelRow>('find-reporting-channel', FIND_CHANNEL, [org, prj, channel]);
    const found = rows[0] ? this.open(rows[0]) : null;
    this.cached.set(key, { channel: found });
    return found;
  }

  /** Stores what a request reports. Returns false when the provider did not send it. */
  async take({ owner, reader }: ReportingChannel, request: ReportRequest, requestId: string): Promise<boolean> {
    const read = await reader.read(request);
    if (read === 'forged') {
      this.telemetry.metrics?.providerReported('forged', 1);
      return false;
    }
    if (read === 'too-large') throw new Problem('payload-too-large', 'The request has more than can be read at once.');
    if (read.length > MAX_EVENTS)
      throw new Problem('payload-too-large', `The request has more than ${MAX_EVENTS} events.`);
    const reports = read.filter((report) => report !== null);
    this.telemetry.metrics?.providerReported('unknown', read.length - reports.length);
    for (const report of reports)
      if (report.number !== undefined) await this.takeNumber({ owner, reader }, report, requestId);
    await this.reports.add(owner, reports);
    return true;
  }

  /** What is reported about a number counts whether or not its message is known. */
  private async takeNumber(
    { owner: { id: channelId, organizationId, projectId, slug }, reader: { provider = 'Twilio' } }: ReportingChannel,
    report: ReportedEvent,
    requestId: string,
  ): Promise<void> {
    const phone = normalizeAddress('phone', report.number ?? '');
    if ('problem' in phone) return;
    const { kind, detail: answer, providerId: message } = report;
    if (kind === 'answered') {
      const by = { actor: provider, request: requestId };
      return this.answers.take({ organizationId, channelId, number: phone.value, text: answer ?? '', by });
    }
    await this.prisma.change({ actor: provider, request: requestId }, (tx) => {
      if (kind === 'resumed') return tx.$executeRawUnsafe(LIFT_STOP, organizationId, phone.value, projectId, slug);
      const evidence = JSON.stringify({ answer, message, at: report.at.toISOString(), channels: [slug] });
      const cause = kind === 'stopped' ? 'stop' : 'hard_bounce';
      const values = [organizationId, 'phone', phone.value, cause, evidence, null, projectId];
      return tx.$executeRawUnsafe(PUT_SUPPRESSION, ...values);
    });
  }

  private open(owner: ChannelRow): ReportingChannel | null {
    try {
      const reader = this.dispatchers.get(owner.type)?.reports?.(openConfig(owner.config, owner, this.secrets));
      return reader ? { owner, reader } : null;
    } catch {
      return null; // encrypted with a key that is gone
    }
  }
}
