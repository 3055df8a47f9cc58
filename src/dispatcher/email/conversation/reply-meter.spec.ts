import { describe, expect, it } from '@jest/globals';
import { ReplyMeter } from './reply-meter.js';

const limits = { replyBytes: 100, replyLines: 5, connectionBytes: 1000, connectionLines: 50 };

/** What the meter says about the text, whole and byte by byte. */
function excess(text: string): string | null {
  const whole = new ReplyMeter(limits).excess(Buffer.from(text));
  const meter = new ReplyMeter(limits);
  let inPieces: string | null = null;
  for (const byte of Buffer.from(text)) inPieces ??= meter.excess(Buffer.from([byte]));
  expect(inPieces).toBe(whole);
  return whole;
}

describe('a reply', () => {
  it.each([
    '250 ok\r\n',
    '250-a\r\n250-b\r\n250-c\r\n250-d\r\n250 e\r\n',
    '250 ok\r\n'.repeat(50),
    '250\r\n'.repeat(50),
    '250\n'.repeat(50),
    `250 ${'x'.repeat(90)}\r\n`.repeat(10),
  ])('within the limits is accepted (%#)', (text) => {
    expect(excess(text)).toBeNull();
  });

  it.each([
    ['\n'.repeat(6), '5 lines in one reply'],
    ['\r\n'.repeat(6), '5 lines in one reply'],
    [' \t\r\n'.repeat(6), '5 lines in one reply'],
    ['250-a\r\n'.repeat(6), '5 lines in one reply'],
    ['2500-a\r\n'.repeat(6), '5 lines in one reply'],
    ['hello\r\n'.repeat(6), '5 lines in one reply'],
    [`250 ${'x'.repeat(100)}`, '100 bytes in one reply'],
    ['\r\n250 ok\r\n'.repeat(30), '50 lines over one connection'],
    ['250 ok and some more words\r\n'.repeat(40), '1000 bytes over one connection'],
  ])('beyond a limit is not: %j', (text, reason) => {
    expect(excess(text)).toBe(reason);
  });
});
