import { createHmac } from 'node:crypto';
import type { ReportRequest } from '../../../report/report.js';
import { isSameSecret } from '../../../report/same-secret.js';
import type { FilePlace } from '../../read/place.js';
import { isOfOneBody } from './one-body.js';
import { SAMPLE_KEY, atLeast, checkedBody, headerOf, isRecent, readMaxAge, type Verifier } from './verifier.js';

const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;

/** A part of what is signed. */
type SignedPart = (request: ReportRequest, timestamp: string) => string | Buffer;

interface Hmac {
  algorithm: (typeof ALGORITHMS)[number];
  encoding: (typeof ENCODINGS)[number];
  header: string;
  prefix: string;
  parts: readonly SignedPart[];
  signsBody: boolean;
  timestamp: { header: string; maxAge: number } | null;
}

/** A keyed hash in a header, over the body and what else the file says. */
export function readHmac(place: FilePlace, settings: readonly string[]): Verifier {
  place.only(['key', 'algorithm', 'header', 'encoding', 'prefix', 'signs', 'timestamp']);
  const names = signedNames(place);
  const hmac: Hmac = {
    algorithm: place.at('algorithm')?.oneOf(ALGORITHMS) ?? 'sha256',
    encoding: place.at('encoding')?.oneOf(ENCODINGS) ?? 'hex',
    header: place.need('header').text(),
    prefix: place.at('prefix')?.text() ?? '',
    parts: names.map(({ part }) => part),
    signsBody: names.some(({ name }) => name === 'body'),
    timestamp: readTimestamp(place),
  };
  if (names.some(({ name }) => name === 'timestamp') !== (hmac.timestamp !== null))
    place.fail('must have a timestamp if it signs {{ timestamp }}, and only then');
  return {
    key: place.need('key').oneOf(settings),
    problem: atLeast(8),
    sampleKey: SAMPLE_KEY,
    check: (request, key) => checkedBody(request, isGenuine(hmac, request, key)),
    sign: (request, key) => {
      const stamp = String(Math.floor(request.now.getTime() / 1000));
      const given = hmac.timestamp ? headerOf(request, hmac.timestamp.header) || stamp : '';
      return {
        ...(hmac.timestamp ? { [hmac.timestamp.header]: given } : {}),
        [hmac.header]: hmac.prefix + signatureOf(hmac, request, given, key),
      };
    },
  };
}

function readTimestamp(place: FilePlace): Hmac['timestamp'] {
  const timestamp = place.at('timestamp')?.only(['header', 'max_age']);
  if (!timestamp) return null;
  return { header: timestamp.need('header').text(), maxAge: readMaxAge(timestamp) };
}

const OUTPUT = /\{\{\s*([^{}]*?)\s*\}\}/;

/** `{{ timestamp }}.{{ body }}` and the like. */
function signedNames(place: FilePlace): { name: string; part: SignedPart }[] {
  const signs = place.at('signs');
  const pieces = (signs?.text() ?? '{{ body }}').split(OUTPUT);
  return pieces.map((piece, i) => {
    if (i % 2 === 0) return { name: '', part: () => piece };
    if (piece === 'body') return { name: piece, part: ({ body }) => body };
    if (piece === 'timestamp') return { name: piece, part: (_, timestamp) => timestamp };
    if (piece === 'url') return { name: piece, part: ({ url }) => url };
    const header = /^headers\.([a-z0-9-]{1,100})$/.exec(piece)?.[1];
    if (header === undefined)
      return signs!.fail(`has {{ ${piece} }}; there are body, timestamp, url and headers.NAME in small letters`);
    return { name: piece, part: (request) => headerOf(request, header) };
  });
}

function signatureOf(hmac: Hmac, request: ReportRequest, timestamp: string, key: string): string {
  const hash = createHmac(hmac.algorithm, key);
  for (const part of hmac.parts) hash.update(part(request, timestamp));
  return hash.digest(hmac.encoding);
}

function isGenuine(hmac: Hmac, request: ReportRequest, key: string): boolean {
  const header = headerOf(request, hmac.header);
  if (!header.startsWith(hmac.prefix)) return false;
  const timestamp = hmac.timestamp ? headerOf(request, hmac.timestamp.header) : '';
  if (hmac.timestamp && !isRecent(timestamp, hmac.timestamp.maxAge, request.now)) return false;
  const given = header.slice(hmac.prefix.length);
  const sent = hmac.encoding === 'hex' ? given.toLowerCase() : given;
  if (!isSameSecret(sent, signatureOf(hmac, request, timestamp, key))) return false;
  return hmac.signsBody || isOfOneBody(sent, request.body, key);
}
