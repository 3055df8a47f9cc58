import { createHash } from 'node:crypto';
import { refuseUnknown } from '../../platform/field/error/closest.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { readImageHeader } from './image-header.js';
import type { StoredLogo } from './logo.js';

const MAX_KB = 256;
/** Of the text: four characters for three bytes. */
export const MAX_LOGO_BASE64 = 342 * 1024;

/** Browsers and mail programs decode the whole image, however few bytes it has. */
const MAX_PIXELS = 2000;

/** The bytes of a logo as it is given: `{ "content": "<base64>" }`. */
export const logoBytes = (given: unknown): Buffer =>
  Buffer.from(isObject(given) && typeof given.content === 'string' ? given.content : '', 'base64');

/** The stored form of a logo. Its bytes are checked, and not its name. Null after an error. */
export function logoOf(value: unknown, addError: AddError): StoredLogo | null {
  const content = isObject(value) ? value.content : undefined;
  if (!isObject(value) || typeof content !== 'string') {
    addError('logo', 'invalid_type', 'must be an object such as { "content": "<the image in base64>" }');
    return null;
  }
  refuseUnknown(value, ['content'], 'logo', addError);
  if (content.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(content)) {
    addError('logo.content', 'invalid_format', 'must be base64, without line breaks');
    return null;
  }
  const bytes = logoBytes(value);
  const image = readImageHeader(bytes);
  if (bytes.length > MAX_KB * 1024) addError('logo.content', 'too_large', `must have at most ${MAX_KB} KB`);
  else if (!image) addError('logo.content', 'invalid_format', 'must be a PNG, JPEG or WebP image');
  else if (![image.width, image.height].every((side) => side >= 1 && side <= MAX_PIXELS))
    addError('logo.content', 'out_of_range', `must be 1 to ${MAX_PIXELS} pixels wide and high`);
  if (!image) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { sha256, content_type: image.contentType, ...shownSize(image) };
}

const MAX_WIDTH = 240;
const MAX_HEIGHT = 48;

/** The size in which an image of this size is shown. */
function shownSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
