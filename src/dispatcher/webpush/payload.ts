import { cutText, cutToFit } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// Every push service takes 4,096 bytes (RFC 8030). Encryption adds a header of 86 bytes, 1 byte of padding and a tag of 16.
export const MAX_PAYLOAD_BYTES = 4096 - 86 - 1 - 16;

const MAX_TITLE = 200;

/** The JSON that the page's service worker receives. The text is cut to the size that push services take. */
export function payloadOf({ subject, text, about: { occurrence, event } }: Message): string {
  const title = cutText(subject, MAX_TITLE);
  const withBody = (body: string) => JSON.stringify({ title, body, data: { occurrence, event } });
  return withBody(cutToFit(text, MAX_PAYLOAD_BYTES, (cut) => Buffer.byteLength(withBody(cut)) <= MAX_PAYLOAD_BYTES));
}
