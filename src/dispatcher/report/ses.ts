import type { Outbound } from '../outbound/outbound.js';
import { objectAt, textOf, timeOf } from './fields.js';
import {
  parsed,
  type ReadReports,
  type ReportedEvent,
  type ReportKind,
  type ReportReader,
  type ReportRequest,
} from './report.js';
import { Sns } from './sns.js';

/** The name that SES gives the details of an event, where it is not the name of the event in lower case. */
const DETAILS: Readonly<Record<string, string>> = { DeliveryDelay: 'deliveryDelay' };

/** The events of Amazon SES, as SNS sends them over HTTPS. */
export class SesReader implements ReportReader {
  private readonly sns: Sns;

  constructor(
    private readonly topic: string,
    outbound: Pick<Outbound, 'getText'>,
  ) {
    this.sns = new Sns(outbound);
  }

  async read({ body, now }: ReportRequest): Promise<ReadReports | 'forged'> {
    const message = objectAt(parsed(body));
    if (!(await this.sns.isOfTopic(message, this.topic))) return 'forged';
    if (message.Type === 'SubscriptionConfirmation') return (await this.sns.confirm(message)) ? [] : 'forged';
    if (message.Type !== 'Notification') return [null];
    const event = parsed(Buffer.from(textOf(message.Message)));
    return [eventOf(objectAt(event), textOf(message.MessageId), now)];
  }
}

function eventOf(event: Readonly<Record<string, unknown>>, eventId: string, now: Date): ReportedEvent | null {
  // Event publishing names it one way, the older feedback notifications another.
  const type = textOf(event.eventType) || textOf(event.notificationType);
  const details = objectAt(event, DETAILS[type] ?? type.toLowerCase());
  const kind = kindOf(type, details);
  if (kind === undefined) return null;
  const mail = objectAt(event, 'mail');
  const tags = objectAt(mail, 'tags').delivery;
  return {
    eventId,
    kind,
    at: timeOf(details.timestamp, now),
    reference: textOf(Array.isArray(tags) ? tags[0] : tags),
    providerId: textOf(mail.messageId),
    detail: detailOf(details),
    ...(kind === 'seen' ? { by: 'unknown' } : {}),
  };
}

function kindOf(type: string, details: Readonly<Record<string, unknown>>): ReportKind | undefined {
  switch (type) {
    case 'Delivery':
      return 'delivered';
    case 'Bounce':
      return details.bounceType === 'Permanent' ? 'bounced' : 'soft_bounced';
    case 'Complaint':
      return details.complaintFeedbackType === 'not-spam' ? undefined : 'complained';
    case 'Reject':
      return 'soft_bounced';
    case 'DeliveryDelay':
      return 'delayed';
    case 'Open':
    case 'Click':
      return 'seen';
    default:
      return undefined;
  }
}

function detailOf(details: Readonly<Record<string, unknown>>): string {
  const recipients = details.bouncedRecipients ?? details.delayedRecipients;
  const [first] = Array.isArray(recipients) ? (recipients as unknown[]) : [];
  const words = [
    details.bounceType,
    details.bounceSubType,
    details.complaintFeedbackType,
    details.reason,
    details.smtpResponse,
  ];
  return [...words, objectAt(first).diagnosticCode].map(textOf).filter(Boolean).join(' ');
}
