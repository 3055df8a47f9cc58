import type { ChannelConfig } from '../../dispatcher.js';
import type { Outbound } from '../../outbound/outbound.js';
import type { ReadReports, ReportReader, ReportRequest } from '../../report/report.js';
import type { DescribedReports } from './described-reports.js';
import { answerHandshake } from './handshake.js';
import { readEvents } from './read-events.js';

/** Requests of customers' own providers: of all channels of an organization in a second, and their size. */
const OWN_PER_SECOND = 50;
const OWN_BYTES = 64 * 1024;

/** Reads reports as a provider file describes them. */
export class DescribedReader implements ReportReader {
  readonly perSecond: number | undefined;

  private constructor(
    private readonly reports: DescribedReports,
    private readonly config: ChannelConfig,
    private readonly outbound: Pick<Outbound, 'getText'>,
    readonly provider: string,
    private readonly isOwn: boolean,
  ) {
    this.perSecond = isOwn ? OWN_PER_SECOND : undefined;
  }

  /** Null: the channel has no key. `label`: who reports, for the audit log. */
  static open(
    reports: DescribedReports,
    config: ChannelConfig,
    outbound: Pick<Outbound, 'getText'>,
    { label, isOwn }: { label: string; isOwn: boolean },
  ): DescribedReader | null {
    const hasKey = reports.verifiers.some(({ key }) => typeof config[key] === 'string');
    return hasKey ? new DescribedReader(reports, config, outbound, label, isOwn) : null;
  }

  confirm(query: URLSearchParams): string | null {
    const { handshake } = this.reports;
    return handshake && answerHandshake(handshake, this.config, query);
  }

  async read(request: ReportRequest): Promise<ReadReports | 'forged' | 'too-large'> {
    if (this.isOwn && request.body.length > OWN_BYTES) return 'too-large';
    for (const verifier of this.reports.verifiers) {
      const key = this.config[verifier.key];
      const checked = typeof key === 'string' ? await verifier.check(request, key, this.outbound) : 'forged';
      if (checked === 'forged') continue;
      if (checked === 'handled') return [];
      const events = readEvents(this.reports, checked.body, request, this.isOwn);
      return events === 'too-large' ? events : events.map(({ event }) => event);
    }
    return 'forged';
  }
}
