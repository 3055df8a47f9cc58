import type { MailPieces } from '../file/compose-with-files.js';

/** How much of a file is handed to the connection at once. */
const SLICE_BYTES = 64 * 1024;

/**
 * The text as it is sent after DATA (RFC 5321, section 4.5.2): a line that starts with a dot gets another one, and each line ends with CRLF. A server
 * that takes a lone CR or LF for the end of a line could else see the end of the mail in it, and commands in what follows.
 */
function escaped(text: string, startsLine: boolean): string {
  const lines = /\r(?!\n)|(?<!\r)\n/.test(text) ? text.replace(/\r\n?|\n/g, '\r\n') : text;
  const inner = lines.includes('\n.') ? lines.replaceAll('\n.', '\n..') : lines;
  return startsLine && inner.startsWith('.') ? `.${inner}` : inner;
}

const endAfter = (isLineOpen: boolean): string => (isLineOpen ? '\r\n.\r\n' : '.\r\n');

/** A mail as it is sent after DATA, with its end. */
export function dataOf(content: string): string {
  const data = escaped(content, true);
  return data + endAfter(!data.endsWith('\n'));
}

/** The same for a mail with files. They are base64 in whole lines, so nothing in them is escaped. */
export function* dataOfPieces(pieces: MailPieces): Generator<string | Buffer, void> {
  let startsLine = true;
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    if (typeof piece === 'string') {
      const data = escaped(piece, startsLine);
      startsLine = data.endsWith('\n');
      yield data;
    } else {
      for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
      startsLine = piece.at(-1) === 0x0a;
    }
  }
  yield endAfter(!startsLine);
}
