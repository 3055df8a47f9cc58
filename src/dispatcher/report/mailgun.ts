import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isNoMailbox } from '../email/refusals.js';
import { objectAt, textOf, timeOf } from './fields.js';
import { readerOf, type ReportedEvent, type ReportKind, type ReportReader } from './report.js';
import { isSameSecret } from './same-secret.js';

/** Mailgun repeats a request for eight hours. */
const MAX_AGE_SECONDS = 9 * 60 * 60;

/** The tokens that were used, each with the digest of its body. A channel has few thousand at a time. */
const used = new LRUCache<string, string>({ max: 100_000 });

/** Mailgun signs a token but not the event. So a token is good for one body only: that one may come again. */
export const mailgunReader = (key: string): ReportReader =>
  readerOf(
    (request, body) => isSigned(objectAt(body, 'signature'), request.now, key) && isFirstUse(body, request.body, key),
    (body, { now }) => [eventOf(objectAt(body, 'event-data'), now)],
  );

function isSigned(signature: Readonly<Record<string, unknown>>, now: Date, key: string): boolean {
  const [timestamp, token, given] = [signature.timestamp, signature.token, signature.signature].map(textOf);
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!token || !(ageSeconds <= MAX_AGE_SECONDS)) return false;
  return isSameSecret(given ?? '', createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex'));
}

function isFirstUse(body: unknown, bytes: Buffer, key: string): boolean {
  const name = createHash('sha256')
    .update(`${key} ${textOf(objectAt(body, 'signature').token)}`)
    .digest('base64');
  const digest = createHash('sha256').update(bytes).digest('base64');
  const known = used.get(name);
  if (known === undefined) used.set(name, digest);
  return known === undefined || known === digest;
}

function eventOf(event: Readonly<Record<string, unknown>>, now: Date): ReportedEvent | null {
  const status = objectAt(event, 'delivery-status');
  const words = [textOf(status.code), textOf(status.message) || textOf(status.description)].join(' ').trim();
  const kind = kindOf(event, words);
  if (kind === undefined) return null;
  const bot = textOf(objectAt(event, 'client-info').bot);
  return {
    eventId: textOf(event.id),
    kind,
    at: timeOf(event.timestamp, now),
    reference: textOf(objectAt(event, 'user-variables').delivery),
    providerId: textOf(objectAt(event, 'message', 'headers')['message-id']),
    detail: words,
    ...(kind === 'seen' ? { by: bot === '' ? 'unknown' : 'machine' } : {}),
  };
}

/** A permanent failure may also be about the content: the words of the server decide. */
function kindOf(event: Readonly<Record<string, unknown>>, words: string): ReportKind | undefined {
  switch (event.event) {
    case 'delivered':
      return 'delivered';
    case 'failed':
      if (event.severity !== 'permanent') return 'delayed';
      return event.reason === 'suppress-bounce' || isNoMailbox(words) ? 'bounced' : 'soft_bounced';
    case 'complained':
      return 'complained';
    case 'opened':
    case 'clicked':
      return 'seen';
    default:
      return undefined;
  }
}
