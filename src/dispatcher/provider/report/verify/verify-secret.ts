import type { ReportRequest } from '../../../report/report.js';
import { isSameSecret } from '../../../report/same-secret.js';
import type { FilePlace } from '../../read/place.js';
import { SAMPLE_KEY, atLeast, checkedBody, headerOf, type Verifier } from './verifier.js';

/** Nothing else protects the URL of the channel, and its owner chooses the key. */
const MIN_LENGTH = 16;

/** The key itself, in a header. */
export function readHeader(place: FilePlace, settings: readonly string[]): Verifier {
  place.only(['key', 'name', 'prefix']);
  const name = place.need('name').text();
  const prefix = place.at('prefix')?.text() ?? '';
  return {
    key: place.need('key').oneOf(settings),
    problem: atLeast(MIN_LENGTH),
    sampleKey: SAMPLE_KEY,
    check: (request, key) => checkedBody(request, isSameSecret(headerOf(request, name), `${prefix}${key}`)),
    sign: (_, key) => ({ [name]: `${prefix}${key}` }),
  };
}

/** The key as the password of HTTP Basic, which is how it can be part of a URL. The user name does not count. */
export function readBasic(place: FilePlace, settings: readonly string[]): Verifier {
  place.only(['key']);
  return {
    key: place.need('key').oneOf(settings),
    problem: atLeast(MIN_LENGTH),
    sampleKey: SAMPLE_KEY,
    check: (request, key) => checkedBody(request, isSameSecret(passwordIn(request), key)),
    sign: (_, key) => ({ Authorization: `Basic ${Buffer.from(`carillon:${key}`).toString('base64')}` }),
  };
}

function passwordIn(request: ReportRequest): string {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headerOf(request, 'authorization'))?.[1];
  return basic === undefined
    ? ''
    : Buffer.from(basic, 'base64')
        .toString()
        .replace(/^[^:]*:/, '');
}
