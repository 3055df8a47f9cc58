import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { decoded } from './decoded.js';

const CODINGS: [string, (text: string) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
];

it.each(CODINGS)('unpacks %s', async (coding, pack) => {
  expect(await decoded(pack('{"id":1}'), coding, 1024)).toEqual({ text: '{"id":1}', isCut: false });
  expect(await decoded(pack('x'.repeat(1024)), coding, 1024)).toEqual({ text: 'x'.repeat(1024), isCut: false });
});

it.each(CODINGS)('unpacks the beginning of what %s made small', async (coding, pack) => {
  const packed = pack(`begin ${'x'.repeat(50_000_000)}`);
  const { text, isCut } = await decoded(packed, coding, 1024);
  expect(text).toMatch(/^begin x+$/);
  expect(text).toHaveLength(1024);
  expect(isCut).toBe(true);
});

it.each(['gzip', 'zstd', 'constructor'])('says that it cannot unpack %s', async (coding) => {
  const text = `(an answer with Content-Encoding ${coding} that could not be decoded)`;
  expect(await decoded(Buffer.from('something else'), coding, 1024)).toEqual({ text, isCut: true });
});
