import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { isNoMailbox } from '../email/refusals.js';
import { objectAt, textOf, timeOf } from './fields.js';
import { readerOf, type ReportedEvent, type ReportKind, type ReportReader, type ReportRequest } from './report.js';

/** SendGrid repeats a request for a day. */
const MAX_AGE_SECONDS = 25 * 60 * 60;

/** Null if the text is not the key that SendGrid shows: base64 of the DER form, without the lines around it. */
export function parseSendgridKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : null;
  } catch {
    return null;
  }
}

export function sendgridReader(key: string): ReportReader {
  const publicKey = parseSendgridKey(key);
  return readerOf(
    (request) => publicKey !== null && isSigned(request, publicKey),
    (body, { now }) => (Array.isArray(body) ? body.map((event) => eventOf(event, now)) : []),
  );
}

/** ECDSA over the timestamp and the body. */
function isSigned({ headers, body, now }: ReportRequest, key: KeyObject): boolean {
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
  const signature = headers['x-twilio-email-event-webhook-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!(ageSeconds <= MAX_AGE_SECONDS)) return false;
  return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'base64'));
}

function eventOf(value: unknown, now: Date): ReportedEvent | null {
  const event = objectAt(value);
  const detail = textOf(event.reason) || textOf(event.response);
  const kind = kindOf(event, detail);
  if (kind === undefined) return null;
  return {
    eventId: textOf(event.sg_event_id) || `${textOf(event.event)} ${textOf(event.sg_message_id)}`,
    kind,
    at: timeOf(event.timestamp, now),
    reference: textOf(event.delivery),
    // It starts with the id that was answered when the message was sent.
    providerId: textOf(event.sg_message_id).split('.')[0],
    detail,
    ...(kind === 'seen' ? { by: event.sg_machine_open === true ? 'machine' : 'unknown' } : {}),
  };
}

/** `bounce` is also what SendGrid says when a server refuses the content: the words of the server decide. */
function kindOf(event: Readonly<Record<string, unknown>>, reason: string): ReportKind | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'deferred':
      return 'delayed';
    case 'bounce':
      return event.type !== 'blocked' && isNoMailbox(reason) ? 'bounced' : 'soft_bounced';
    case 'dropped':
      return /^(?:bounced address|invalid)/i.test(reason) ? 'bounced' : 'soft_bounced';
    case 'spamreport':
      return 'complained';
    case 'open':
    case 'click':
      return 'seen';
    default:
      return undefined;
  }
}
