import type { Outbound } from '../outbound/outbound.js';
import { builtInProvider } from '../provider/built-in.js';
import type { ProviderFile } from '../provider/provider.js';
import { openReports, setupOf } from '../provider/report/open-reports.js';
import { REPORT_KEY } from '../provider/report/read-reports.js';
import { READERS } from '../provider/report-readers.js';
import type { ReportReader } from './report.js';

/** A mail service that reports what became of the mails that it took over SMTP. */
interface MailService {
  /** The header that carries the reference of a message into its events; null: the service has none. */
  header: ((reference: string) => [name: string, value: string]) | null;
  /** The service's id of a mail, in its answer to the content. */
  id?: RegExp;
  /** What to set up at the service. */
  readonly steps: string;
  /** Why the text is not the key of this service; null: it is. */
  problem: (key: string) => string | null;
  reader: (key: string, outbound: Pick<Outbound, 'getText'>) => ReportReader;
}

const coded = (name: keyof typeof READERS): Pick<MailService, 'steps' | 'problem' | 'reader'> => {
  const { steps, problem, open } = READERS[name];
  return { steps, problem, reader: open };
};

/** The service as its provider file describes it, which is read when it is needed. */
class FileService implements MailService {
  private known: ProviderFile | undefined;

  constructor(
    private readonly type: string,
    readonly header: MailService['header'],
  ) {}

  get steps(): string {
    return setupOf(this.file) ?? '';
  }

  problem = (key: string): string | null =>
    this.file.fields.find((field) => field.key === REPORT_KEY)?.problem?.(key) ?? null;

  reader = (key: string, outbound: Pick<Outbound, 'getText'>): ReportReader => {
    const reader = openReports(this.file, { [REPORT_KEY]: key }, outbound);
    if (!reader) throw new Error(`${this.type}.yaml has no reports`);
    return reader;
  };

  private get file(): ProviderFile {
    return (this.known ??= builtInProvider(this.type));
  }
}

export const MAIL_SERVICES: Readonly<Record<string, MailService>> = {
  ses: {
    ...coded('ses'),
    header: (reference) => ['X-SES-MESSAGE-TAGS', `delivery=${reference}`],
    id: /^250 Ok (\S{10,200})$/i,
  },
  sendgrid: {
    ...coded('sendgrid'),
    header: (reference) => ['X-SMTPAPI', JSON.stringify({ unique_args: { delivery: reference } })],
  },
  postmark: new FileService('postmark', (reference) => ['X-PM-Metadata-delivery', reference]),
  mailgun: {
    ...coded('mailgun'),
    header: (reference) => ['X-Mailgun-Variables', JSON.stringify({ delivery: reference })],
  },
  resend: new FileService('resend', null),
  mailjet: new FileService('mailjet', (reference) => ['X-MJ-CustomID', reference]),
};
