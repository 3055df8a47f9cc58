import { createHmac } from 'node:crypto';
import { isObject } from '../../../../platform/field/is-object.js';
import type { ReportRequest } from '../../../report/report.js';
import { isSameSecret } from '../../../report/same-secret.js';
import type { FilePlace } from '../../read/place.js';
import { atLeast, bodyOf, isRecent, readMaxAge, SAMPLE_KEY, type Verifier } from './verifier.js';

/** Anybody can send fields that take long to sort. Those of providers have some thousand bytes. */
const MAX_BYTES = 64 * 1024;

const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

interface SignedFields {
  algorithm: (typeof ALGORITHMS)[number];
  /** The field with the signature. */
  field: string;
  timestamp: { field: string; maxAge: number };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A keyed hash over the fields of the body, in the order of their names: `&a=1&b=2`. In their values, `&` and `=` are `_`. The signature, in
 * hexadecimal digits, is a field as well.
 */
export function readSignedFields(place: FilePlace, settings: readonly string[]): Verifier {
  place.only(['key', 'algorithm', 'field', 'timestamp']);
  const timestamp = place.need('timestamp').only(['field', 'max_age']);
  const signed: SignedFields = {
    algorithm: place.at('algorithm')?.oneOf(ALGORITHMS) ?? 'sha256',
    field: place.need('field').text(),
    timestamp: { field: timestamp.need('field').text(), maxAge: readMaxAge(timestamp) },
  };
  return {
    key: place.need('key').oneOf(settings),
    problem: atLeast(8),
    sampleKey: SAMPLE_KEY,
    check: (request, key) => {
      const body = request.body.length > MAX_BYTES ? undefined : bodyOf(request);
      return Promise.resolve(isObject(body) && isGenuine(signed, body, request, key) ? { body } : 'forged');
    },
    // The signature is in the body: an example has it, or is taken as genuine.
    sign: null,
    holds: (request, key) => {
      const body = bodyOf(request);
      return !isObject(body) || body[signed.field] === undefined || isGenuine(signed, body, request, key);
    },
  };
}

function isGenuine({ algorithm, field, timestamp }: SignedFields, body: Fields, request: ReportRequest, key: string) {
  if (!isRecent(textOf(body[timestamp.field]), timestamp.maxAge, request.now)) return false;
  const text = Object.keys(body)
    .filter((name) => name !== field)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `&${name}=${textOf(body[name]).replace(/[&=]/g, '_')}`)
    .join('');
  return isSameSecret(textOf(body[field]).toLowerCase(), createHmac(algorithm, key).update(text).digest('hex'));
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
