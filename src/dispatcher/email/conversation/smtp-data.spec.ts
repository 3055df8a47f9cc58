import { describe, expect, it } from '@jest/globals';
import { dataOf, dataOfPieces } from './smtp-data.js';

describe('the content of a mail', () => {
  it.each([
    ['ends with a dot on a line', 'a\r\nb\r\n', 'a\r\nb\r\n.\r\n'],
    ['gets a line end if it has none', 'a\r\nb', 'a\r\nb\r\n.\r\n'],
    ['may be empty', '', '\r\n.\r\n'],
    ['has one more dot where a line starts with one', '.a\r\n.\r\n..b\r\nc.\r\n', '..a\r\n..\r\n...b\r\nc.\r\n.\r\n'],
    ['has no lone line feed', 'a\n.\nb', 'a\r\n..\r\nb\r\n.\r\n'],
    ['has no lone carriage return', 'a\r.\rb\r', 'a\r\n..\r\nb\r\n.\r\n'],
    ['keeps an empty line', 'a\r\n\r\n.b\r\n', 'a\r\n\r\n..b\r\n.\r\n'],
  ])('%s', (_what, content, data) => {
    expect(dataOf(content)).toBe(data);
    expect([...dataOfPieces([content])].join('')).toBe(data === '\r\n.\r\n' ? '.\r\n' : data);
  });

  it('is the same in pieces', () => {
    const pieces = ['Subject: a\r\n\r\n', '.b\r\n', Buffer.from('YQ==\r\n'.repeat(20_000)), '.c', '.d\r\n', '', '.e'];
    const whole = pieces.map((piece) => piece.toString()).join('');
    expect([...dataOfPieces(pieces)].map((piece) => piece.toString()).join('')).toBe(dataOf(whole));
  });
});
