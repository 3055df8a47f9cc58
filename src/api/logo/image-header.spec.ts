import { expect, it } from '@jest/globals';
import { readImageHeader } from './image-header.js';

// Images of 13 x 7 pixels, as Chromium writes them.
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAA0AAAAHCAYAAADTcMcaAAAAJklEQVR4AeyQMQ0AAAjDyGRgBHlIh2cGtntNevYpeudUUQaJOO0BAAD//4hezXQAAAAGSURBVAMAowgXkvwt+sMAAAAASUVORK5CYII=';
const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAHAA0DASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCYApv/2Q==';
const LOSSY = 'UklGRi4AAABXRUJQVlA4ICIAAABwAQCdASoNAAcAB0CWJaACdAFAAAD+33+yfpe+HbmyLSAA';
const LOSSLESS = 'UklGRh4AAABXRUJQVlA4TBEAAAAvDIABAAfQv2r0pv+BiOh/AAA=';
const EXTENDED = 'UklGRhACAABXRUJQVlA4WAoAAAAgAAAADAAABgAASUNDUMgBAAAAAAHIAAAA';

it.each([
  ['image/png', PNG],
  ['image/jpeg', JPEG],
  ['image/webp', LOSSY],
  ['image/webp', LOSSLESS],
  ['image/webp', EXTENDED],
])('reads the size of %s', (contentType, base64) => {
  expect(readImageHeader(Buffer.from(base64, 'base64'))).toEqual({ contentType, width: 13, height: 7 });
});

it.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><img src="logo.png">'],
  ['GIF', 'GIF89a\x0d\x00\x07\x00\x00\x00\x00;'],
  ['nothing', ''],
  ['RIFF that is a sound', 'RIFF\x10\x00\x00\x00WAVEfmt '],
])('does not take %s for an image', (_, bytes) => {
  expect(readImageHeader(Buffer.from(bytes, 'latin1'))).toBeNull();
});

it('survives every image that ends early', () => {
  for (const base64 of [PNG, JPEG, LOSSY, LOSSLESS, EXTENDED]) {
    const bytes = Buffer.from(base64, 'base64');
    for (let length = 0; length < bytes.length; length++)
      expect(() => readImageHeader(bytes.subarray(0, length))).not.toThrow();
  }
});

it('ends on a JPEG whose segments have no length', () => {
  expect(readImageHeader(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1000)]))).toBeNull();
  expect(readImageHeader(Buffer.from('ffd8ffe00000ffe00000', 'hex'))).toBeNull();
});
