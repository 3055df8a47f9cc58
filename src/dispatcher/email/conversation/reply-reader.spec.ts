import { describe, expect, it } from '@jest/globals';
import { ReplyReader } from './reply-reader.js';

/** The replies in some bytes, which come whole and one by one. */
function repliesIn(bytes: Buffer): string[] {
  const whole = new ReplyReader().read(bytes);
  const reader = new ReplyReader();
  expect([...bytes].flatMap((byte) => reader.read(Buffer.from([byte])))).toEqual(whole);
  return whole;
}

describe('replies', () => {
  it.each([
    ['of one line', '250 ok\r\n354 go on\r\n', ['250 ok', '354 go on']],
    ['of several lines', '250-a\r\n250-b\r\n250 c\r\n250 d\r\n', ['250-a\n250-b\n250 c', '250 d']],
    ['without words', '250\r\n250 \r\n', ['250', '250 ']],
    ['with a line feed only', '250-a\n250 b\n', ['250-a\n250 b']],
    ['with empty lines in between', '\r\n250 ok\r\n \r\n\n354 go on\r\n', ['250 ok', '354 go on']],
    ['that have not ended', '250-a\r\n250-b\r\n250', []],
    ['with letters beyond ASCII', '550 unbekannter Empfänger 🙁\r\n', ['550 unbekannter Empfänger 🙁']],
  ])('%s are read', (_what, text, replies) => {
    expect(repliesIn(Buffer.from(text))).toEqual(replies);
  });

  it('that are not UTF-8 keep a character for each byte', () => {
    expect(repliesIn(Buffer.from('550 Empf\xe4nger\r\n', 'latin1'))).toEqual(['550 Empfänger']);
  });
});
