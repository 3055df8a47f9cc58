import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

interface Decoded {
  text: string;
  /** There is more, or it could not be decoded. */
  isCut: boolean;
}

// `finishFlush`: the beginning of a longer answer decodes to the beginning of its text.
const unzip = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS = new Map([
  ['gzip', () => createGunzip(unzip)],
  ['deflate', () => createInflate(unzip)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/**
 * The first bytes of the text of a compressed answer. Some servers compress although we ask for `identity`. A few bytes can unpack to
 * gigabytes, so decoding stops when there is enough.
 */
export async function decoded(body: Buffer, coding: string, maxBytes: number): Promise<Decoded> {
  try {
    const all = await beginningOf(DECODERS.get(coding.toLowerCase().replace(/^x-/, ''))!().end(body), maxBytes);
    return { text: all.subarray(0, maxBytes).toString('utf8'), isCut: all.length > maxBytes };
  } catch {
    return { text: `(an answer with Content-Encoding ${coding} that could not be decoded)`, isCut: true };
  }
}

async function beginningOf(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(pieces);
}
