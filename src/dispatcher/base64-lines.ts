/** The bytes that make a line of 76 characters (RFC 2045). */
const LINE_BYTES = 57;

/** How long some bytes are as base64 in lines, each with its line end: 1.37 times as long. */
export const encodedLength = (bytes: number): number => Math.ceil(bytes / 3) * 4 + Math.ceil(bytes / LINE_BYTES) * 2;

/** Writes bytes as base64 in lines. Returns where they end. */
export function encodeLines(bytes: Buffer, target: Buffer, start: number): number {
  let end = start;
  for (let from = 0; from < bytes.length; from += LINE_BYTES) {
    end += target.write(bytes.toString('base64', from, Math.min(from + LINE_BYTES, bytes.length)), end, 'latin1');
    end = target.writeUInt8(0x0d, end);
    end = target.writeUInt8(0x0a, end);
  }
  return end;
}
