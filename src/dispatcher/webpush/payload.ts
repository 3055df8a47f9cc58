import { cutText } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// What every push service takes (RFC 8030) less what encryption adds: a header of 86 bytes, one of padding, a tag of 16.
export const LARGEST_PAYLOAD_BYTES = 4096 - 86 - 1 - 16;

const LONGEST_TITLE = 200;

/** What the page's service worker is handed, as JSON; as much of the text as there is room for. */
export function payloadOf({ subject, text, about: { occurrence, event } }: Message): string {
  const title = cutText(subject, LONGEST_TITLE);
  const withBody = (body: string): string => JSON.stringify({ title, body, data: { occurrence, event } });
  const whole = withBody(text);
  if (isSmallEnough(whole)) return whole;
  // A character takes one to six bytes, so how many there is room for shows only by trying.
  let fits = 0;
  let tooLong = LARGEST_PAYLOAD_BYTES;
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    if (isSmallEnough(withBody(cutText(text, length)))) fits = length;
    else tooLong = length;
  }
  return withBody(cutText(text, fits));
}

const isSmallEnough = (payload: string): boolean => Buffer.byteLength(payload) <= LARGEST_PAYLOAD_BYTES;
