import type { ConfigField } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import type { ReportReader } from '../report/report.js';
import { MAIL_SERVICES } from '../report/services.js';
import { TWILIO_STEPS, twilioReader } from '../sms/twilio-notice.js';

interface Reader {
  /** What to set up at the service. */
  steps: string;
  open(key: string, outbound: Pick<Outbound, 'getText'>): ReportReader;
  problem?: (key: string) => string | null;
}

/** The readers of reports that a file can name. */
export const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    Object.entries(MAIL_SERVICES).map(([name, { reader, problem, steps }]) => [name, { open: reader, problem, steps }]),
  ),
  twilio: { open: twilioReader, steps: TWILIO_STEPS },
};

const HELP: Readonly<Record<string, string>> = {
  ses: 'The ARN of the SNS topic that gets the events',
  sendgrid: 'The verification key of the event webhook',
  postmark: 'A password of your own, which the webhook sends in the header X-Report-Key',
  mailgun: 'The webhook signing key',
  resend: 'The signing secret of the webhook',
};

/** The setting that holds the key, under the name that it has in channels of the type email. */
export const reportKeyField = (reader: string): ConfigField => ({
  key: 'report_key',
  label: 'Key of the reports',
  kind: 'string',
  required: false,
  secret: true,
  max: 500,
  problem: READERS[reader]!.problem,
  help: `${HELP[reader] ?? 'The key that reports are signed with'}. Unset: reports are refused`,
});
