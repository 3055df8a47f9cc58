import { cutText, cutToFit } from '../cut-text.js';
import type { Message } from '../dispatcher.js';
import { dataProblem, withoutReserved } from '../message-limits.js';

// Every push service takes 4,096 bytes (RFC 8030). Encryption adds a header of 86 bytes, 1 byte of padding and a tag of 16.
export const MAX_PAYLOAD_BYTES = 4096 - 86 - 1 - 16;

const MAX_TITLE = 200;

/** Data has names of its own beside those that tell where the message comes from. */
export const PAYLOAD_LIMITS = {
  subject: MAX_TITLE,
  bytes: MAX_PAYLOAD_BYTES,
  cutsText: true,
  dataBytes: 3400,
  reservedData: ['occurrence', 'event', 'category'],
} as const;

/** A message that fits into no push message, whatever the browser. */
export class UnfitMessage extends Error {}

/**
 * The JSON that the page's service worker receives. The text is cut to the size that push services take. Throws `UnfitMessage` if the rest alone is larger.
 */
export function payloadOf({
  subject,
  text,
  rich: given,
  category,
  unread,
  thread,
  about: { occurrence, event },
}: Message): string {
  const problem = dataProblem(given, PAYLOAD_LIMITS);
  if (problem !== null) throw new UnfitMessage(problem);
  const { url, image, actions, data } = withoutReserved(given, PAYLOAD_LIMITS) ?? {};
  const tag = thread?.replaces;
  const title = cutText(subject, MAX_TITLE);
  const withBody = (body: string) =>
    JSON.stringify({ title, body, url, image, actions, unread, tag, data: { ...data, occurrence, event, category } });
  const bytesOf = (body: string) => Buffer.byteLength(withBody(body));
  const body = cutToFit(text, MAX_PAYLOAD_BYTES, (cut) => bytesOf(cut) <= MAX_PAYLOAD_BYTES);
  const size = bytesOf(body);
  if (size > MAX_PAYLOAD_BYTES)
    throw new UnfitMessage(
      `the message has ${size} bytes without most of its text, and push services take ${MAX_PAYLOAD_BYTES}`,
    );
  return withBody(body);
}
