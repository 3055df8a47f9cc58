import { brotliDecompressSync, constants, inflateSync, gunzipSync } from 'node:zlib';

// The first KB of an answer cannot become more than 1 MB with gzip or deflate. Brotli packs a few bytes into gigabytes.
const maxOutputLength = 2 * 1024 * 1024;

type Decode = (body: Buffer) => Buffer;

// `finishFlush`: the beginning of a longer answer decodes to the beginning of its text.
const unzip = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: Record<string, Decode> = {
  gzip: (body) => gunzipSync(body, unzip),
  deflate: (body) => inflateSync(body, unzip),
  br: (body) => brotliDecompressSync(body, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The text of an answer, of which the first bytes were kept. Some servers compress although we ask for `identity`. */
export function decoded(body: Buffer, coding = 'identity'): string {
  if (coding === 'identity' || body.length === 0) return body.toString('utf8');
  try {
    return DECODERS[coding.toLowerCase().replace(/^x-/, '')]!(body).toString('utf8');
  } catch {
    return `(an answer with Content-Encoding ${coding} that could not be decoded)`;
  }
}
