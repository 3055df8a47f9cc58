import { randomUUID } from 'node:crypto';

export interface Part {
  name: string;
  content: string | Uint8Array;
  /** For a file. */
  filename?: string;
  type?: string;
}

const quoted = (text: string) => text.replace(/["\r\n]/g, (c) => (c === '"' ? '%22' : c === '\r' ? '%0D' : '%0A'));

/** A body of the type multipart/form-data (RFC 7578). */
export function multipartBody(parts: readonly Part[]): { type: string; body: Buffer } {
  const boundary = `carillon-${randomUUID()}`;
  const pieces = parts.flatMap(({ name, content, filename, type }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`,
    filename === undefined ? '' : `; filename="${quoted(filename)}"`,
    type === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
