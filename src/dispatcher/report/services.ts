import type { Outbound } from '../outbound/outbound.js';
import { problemWithSigningSecret } from '../webhook/signature.js';
import { mailgunReader } from './mailgun.js';
import { postmarkReader } from './postmark.js';
import type { ReportReader } from './report.js';
import { resendReader } from './resend.js';
import { parseSendgridKey, sendgridReader } from './sendgrid.js';
import { SesReader } from './ses.js';

/** A mail service that reports what became of the mails that it took over SMTP. */
interface MailService {
  /** The header that carries the reference of a message into its events; null: the service has none. */
  header: ((reference: string) => [name: string, value: string]) | null;
  /** The service's id of a mail, in its answer to the content. */
  id?: RegExp;
  /** What to set up at the service. */
  steps: string;
  /** Why the text is not the key of this service; null: it is. */
  problem: (key: string) => string | null;
  reader: (key: string, outbound: Pick<Outbound, 'getText'>) => ReportReader;
}

const TOPIC = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/;

const atLeast = (length: number) => (key: string) =>
  key.length >= length ? null : `must have at least ${length} characters`;

export const MAIL_SERVICES: Readonly<Record<string, MailService>> = {
  ses: {
    steps:
      'Create a configuration set with an event destination to the SNS topic, and a subscription of the topic (HTTPS) to the URL, which Carillon confirms by itself. Make the configuration set the default of your identity.',
    header: (reference) => ['X-SES-MESSAGE-TAGS', `delivery=${reference}`],
    id: /^250 Ok (\S{10,200})$/i,
    problem: (key) =>
      TOPIC.test(key) ? null : 'must be the ARN of the SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail',
    reader: (key, outbound) => new SesReader(key, outbound),
  },
  sendgrid: {
    steps:
      'Create an event webhook with the URL, and switch on its signature. The key of the reports is its verification key.',
    header: (reference) => ['X-SMTPAPI', JSON.stringify({ unique_args: { delivery: reference } })],
    problem: (key) => (parseSendgridKey(key) ? null : 'must be the verification key of the event webhook'),
    reader: sendgridReader,
  },
  postmark: {
    steps:
      'Create a webhook with the URL and the header X-Report-Key. Its value is the key of the reports: Postmark does not sign.',
    header: (reference) => ['X-PM-Metadata-delivery', reference],
    problem: atLeast(16),
    reader: postmarkReader,
  },
  mailgun: {
    steps:
      'Create a webhook with the URL for each kind of event. The key of the reports is the HTTP webhook signing key.',
    header: (reference) => ['X-Mailgun-Variables', JSON.stringify({ delivery: reference })],
    problem: atLeast(16),
    reader: mailgunReader,
  },
  resend: {
    steps: 'Create a webhook with the URL. The key of the reports is its signing secret (whsec_...).',
    header: null,
    problem: problemWithSigningSecret,
    reader: resendReader,
  },
};
