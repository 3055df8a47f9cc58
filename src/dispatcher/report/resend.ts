import { signatureOf } from '../webhook/signature.js';
import { referenceInMessageId } from './reference.js';
import { entryOf, objectAt, textOf, timeOf } from './fields.js';
import { readerOf, type ReportedEvent, type ReportKind, type ReportReader, type ReportRequest } from './report.js';
import { isSameSecret } from './same-secret.js';

const MAX_AGE_SECONDS = 5 * 60;

const KINDS: Readonly<Record<string, ReportKind>> = {
  'email.delivered': 'delivered',
  'email.delivery_delayed': 'delayed',
  'email.complained': 'complained',
  'email.opened': 'seen',
  'email.clicked': 'seen',
  'email.failed': 'soft_bounced',
  'email.suppressed': 'bounced',
};

/** Resend signs by Standard Webhooks, under the names of the headers that Svix uses. */
export const resendReader = (key: string): ReportReader =>
  readerOf(
    (request) => isSigned(request, key),
    (body, request) => [eventOf(objectAt(body), request)],
  );

const headerOf = ({ headers }: ReportRequest, name: string): string =>
  textOf(headers[`svix-${name}`] ?? headers[`webhook-${name}`]);

function isSigned(request: ReportRequest, key: string): boolean {
  const [id, timestamp] = [headerOf(request, 'id'), headerOf(request, 'timestamp')];
  const ageSeconds = Math.abs(request.now.getTime() / 1000 - Number(timestamp));
  if (id === '' || !(ageSeconds <= MAX_AGE_SECONDS)) return false;
  const expected = signatureOf(id, Number(timestamp), request.body.toString(), [key]);
  return headerOf(request, 'signature')
    .split(' ')
    .some((each) => isSameSecret(each, expected));
}

function eventOf(event: Readonly<Record<string, unknown>>, request: ReportRequest): ReportedEvent | null {
  const type = textOf(event.type);
  const data = objectAt(event, 'data');
  const bounce = objectAt(data, 'bounce');
  const kind = type === 'email.bounced' ? bounceOf(textOf(bounce.type)) : entryOf(KINDS, type);
  if (kind === undefined) return null;
  return {
    eventId: headerOf(request, 'id'),
    kind,
    at: timeOf(event.created_at, request.now),
    reference: textOf(objectAt(data, 'tags').delivery) || referenceInMessageId(textOf(data.message_id)),
    providerId: textOf(data.email_id),
    detail:
      textOf(bounce.message) || textOf(objectAt(data, 'failed').reason) || textOf(objectAt(data, 'suppressed').message),
    ...(kind === 'seen' ? { by: 'unknown' } : {}),
  };
}

const bounceOf = (type: string): ReportKind => (type === 'Permanent' ? 'bounced' : 'soft_bounced');
