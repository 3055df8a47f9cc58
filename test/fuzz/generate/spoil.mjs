import { gzipSync } from 'node:zlib';
import { HOSTILE_VALUES } from './names.mjs';

const UNKNOWN_FIELDS = ['unknown', 'constructor', 'toString', '', 'Name', 'id', 'organization_id', '$ref', 'a.b'];
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * A valid body with one fault: a field is missing, unknown, or has a value that may not fit.
 * @param {unknown} value
 * @param {import('../../../bench/torture/random.mjs').Random} random
 */
export function spoil(value, random) {
  const copy = structuredClone(value);
  if (typeof copy !== 'object' || copy === null) return random.one(HOSTILE_VALUES);
  const holders = [];
  collect(copy, holders);
  const holder = random.one(holders);
  const keys = Object.keys(holder);
  const choice = random.between(0, 1);
  if (choice < 0.2 || keys.length === 0) {
    if (Array.isArray(holder)) holder.push(random.one(HOSTILE_VALUES));
    else holder[random.one(UNKNOWN_FIELDS)] = random.one(HOSTILE_VALUES);
  } else if (choice < 0.35) {
    if (Array.isArray(holder)) holder.push(holder[0]);
    else delete holder[random.one(keys)];
  } else holder[random.one(keys)] = random.one(HOSTILE_VALUES);
  return copy;
}

function collect(value, into) {
  if (typeof value !== 'object' || value === null) return;
  into.push(value);
  for (const each of Object.values(value)) collect(each, into);
}

/** Bodies that are no JSON, not the JSON that they claim to be, or too much of it. */
const HOSTILE_BODIES = [
  (text) => ({ body: text.slice(0, Math.max(1, text.length - 2)) }),
  (text) => ({ body: `${text}${text}` }),
  (text) => ({ body: `\uFEFF${text}` }),
  (text) => ({ body: text, headers: { 'content-type': 'text/plain' } }),
  (text) => ({ body: text, headers: { 'content-type': 'application/json; charset=utf-16' } }),
  (text) => ({ body: text, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }),
  (text) => ({ body: text, headers: { ...JSON_TYPE, 'content-encoding': 'nonsense' } }),
  () => ({
    body: gzipSync('['.repeat(5_000_000)),
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    mayBeCut: true,
  }),
  () => ({ body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }),
  () => ({ body: '['.repeat(100) + ']'.repeat(100) }),
  () => ({ body: '{"a":'.repeat(33) + '1' + '}'.repeat(33) }),
  () => ({ body: '{"__proto__":{"a":1}}' }),
  () => ({ body: '{"a":1e999}' }),
  () => ({ body: '{"name":"\\ud800"}' }),
  () => ({ body: 'null' }),
  () => ({ body: '[]' }),
  () => ({ body: '"text"' }),
  () => ({ body: '0' }),
  () => ({ body: '{}' }),
  () => ({ body: ' ' }),
  () => ({ body: undefined }),
  () => ({ body: JSON.stringify({ name: 'x'.repeat(300_000) }), mayBeCut: true }),
];

/** The largest are rare: they cost more than a hundred others. */
export function hostileBody(value, random) {
  const text = JSON.stringify(value) ?? '{}';
  const make = random.one(random.between(0, 1) < 0.02 ? HOSTILE_BODIES : SMALL_BODIES);
  return { headers: JSON_TYPE, ...make(text) };
}

const SMALL_BODIES = HOSTILE_BODIES.filter((make) => !make('{}').mayBeCut);
