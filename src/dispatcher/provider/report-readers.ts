import type { ConfigField } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { mailgunReader } from '../report/mailgun.js';
import type { ReportReader } from '../report/report.js';
import { parseSendgridKey, sendgridReader } from '../report/sendgrid.js';
import { SesReader } from '../report/ses.js';
import { problemWithTopic } from '../report/sns.js';
import { TWILIO_STEPS, twilioReader } from '../sms/twilio-notice.js';
import { atLeast } from './report/verify/verifier.js';

interface Reader {
  /** What to set up at the service. */
  steps: string;
  open(key: string, outbound: Pick<Outbound, 'getText'>): ReportReader;
  /** Why the text is not a key of this service; null: it is. */
  problem: (key: string) => string | null;
  /** Where its key comes from. */
  help: string;
}

/** The readers of reports that are code, which a file can name: what they verify, a file cannot say. */
export const READERS = {
  ses: {
    steps:
      'Create a configuration set with an event destination to the SNS topic, and a subscription of the topic (HTTPS) to the URL, which Carillon confirms by itself. Make the configuration set the default of your identity.',
    open: (key, outbound) => new SesReader(key, outbound),
    problem: problemWithTopic,
    help: 'The ARN of the SNS topic that gets the events',
  },
  sendgrid: {
    steps:
      'Create an event webhook with the URL, and switch on its signature. The key of the reports is its verification key.',
    open: sendgridReader,
    problem: (key) => (parseSendgridKey(key) ? null : 'must be the verification key of the event webhook'),
    help: 'The verification key of the event webhook',
  },
  mailgun: {
    steps:
      'Create a webhook with the URL for each kind of event. The key of the reports is the HTTP webhook signing key.',
    open: mailgunReader,
    problem: atLeast(16),
    help: 'The webhook signing key',
  },
  twilio: {
    steps: TWILIO_STEPS,
    open: twilioReader,
    problem: () => null,
    help: 'The auth token',
  },
} satisfies Record<string, Reader>;

/** Throws if there is none: a file was checked when it was read. */
export function readerNamed(name: string): Reader {
  const reader = Object.hasOwn(READERS, name) ? READERS[name as keyof typeof READERS] : undefined;
  if (!reader) throw new Error(`there is no reader ${name}`);
  return reader;
}

/** The setting that holds the key, under the name that it has in channels of the type email. */
export const reportKeyField = (reader: string): ConfigField => ({
  key: 'report_key',
  label: 'Key of the reports',
  kind: 'string',
  required: false,
  secret: true,
  max: 500,
  problem: readerNamed(reader).problem,
  help: `${readerNamed(reader).help}. Unset: reports are refused`,
});
