import { entryOf, objectAt, textOf, timeOf } from './fields.js';
import { readerOf, type ReportedEvent, type ReportKind, type ReportReader, type ReportRequest } from './report.js';
import { isSameSecret } from './same-secret.js';

/** The header that carries the key, for those who do not want it in the URL. */
const KEY_HEADER = 'x-report-key';

const BOUNCES: Readonly<Record<string, ReportKind>> = {
  HardBounce: 'bounced',
  BadEmailAddress: 'bounced',
  SpamComplaint: 'complained',
  Transient: 'soft_bounced',
  SoftBounce: 'soft_bounced',
  DnsError: 'soft_bounced',
  SpamNotification: 'soft_bounced',
  VirusNotification: 'soft_bounced',
  Blocked: 'soft_bounced',
  DMARCPolicy: 'soft_bounced',
  Unknown: 'soft_bounced',
};

/** Postmark does not sign. It sends what its owner has configured: HTTP Basic in the URL, or a header. */
export const postmarkReader = (key: string): ReportReader =>
  readerOf(
    (request) => isSameSecret(keyIn(request), key),
    (body, { now }) => [eventOf(body, now)],
  );

function keyIn({ headers }: ReportRequest): string {
  const header = headers[KEY_HEADER];
  if (typeof header === 'string') return header;
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
  return basic === undefined
    ? ''
    : Buffer.from(basic, 'base64')
        .toString()
        .replace(/^[^:]*:/, '');
}

function eventOf(body: unknown, now: Date): ReportedEvent | null {
  const event = objectAt(body);
  const type = textOf(event.RecordType);
  const kind = kindOf(type, textOf(event.Type));
  if (kind === undefined) return null;
  const time = event.DeliveredAt ?? event.BouncedAt ?? event.ReceivedAt;
  const id = textOf(event.ID) || `${textOf(event.MessageID)} ${textOf(time)}`;
  return {
    eventId: `${type} ${id}`,
    kind,
    at: timeOf(time, now),
    reference: textOf(objectAt(event, 'Metadata').delivery),
    providerId: textOf(event.MessageID),
    detail: [textOf(event.Type), textOf(event.Details) || textOf(event.Description)].join(' ').trim(),
    ...(kind === 'seen' ? { by: 'unknown' } : {}),
  };
}

function kindOf(recordType: string, bounceType: string): ReportKind | undefined {
  switch (recordType) {
    case 'Delivery':
      return 'delivered';
    case 'Bounce':
      return entryOf(BOUNCES, bounceType);
    case 'SpamComplaint':
      return 'complained';
    case 'Open':
    case 'Click':
      return 'seen';
    default:
      return undefined;
  }
}
