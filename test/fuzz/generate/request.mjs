import { Samples, arbitraryOf } from './arbitrary.mjs';
import { HOSTILE_NAMES } from './names.mjs';
import { hostileBody, spoil } from './spoil.mjs';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path with the query
 * @property {Record<string, string>} query
 * @property {Record<string, string>} headers
 * @property {string | Buffer} [body]
 * @property {boolean} [isJson] whether the content type is JSON and the body is not compressed
 * @property {boolean} [mayBeCut] the service may close the connection before it has read such a body
 */

/** Texts for query parameters and headers. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1001',
  '99999999999999999999',
  'x',
  'null',
  '%00',
  'x'.repeat(300),
  '=',
  ',',
  '1;2',
];

/** Makes requests for the operations of a contract: valid, nearly valid and hostile ones. */
export class Requests {
  #bodies = new Map();
  #parameters = new Map();

  /**
   * @param {import('../check/contract.mjs').Operation[]} operations
   * @param {{ resolve: (ref: string) => any, hints: Record<string, any> }} world
   * @param {number} seed
   */
  constructor(operations, world, seed) {
    operations.forEach(({ id, body, query, headers }, number) => {
      if (body) this.#bodies.set(id, new Samples(arbitraryOf(body.schema, world), seed + number * 1000));
      for (const { name, schema } of [...query, ...headers])
        this.#parameters.set(`${id} ${name}`, new Samples(arbitraryOf(schema, world, name), seed + number * 1000));
    });
  }

  /**
   * @param {import('../check/contract.mjs').Operation} operation
   * @param {Record<string, string>} names of the path
   * @param {import('../../../bench/torture/random.mjs').Random} random
   * @param {boolean} isFaulty whether the body always has a fault
   * @returns {Request}
   */
  make(operation, names, random, isFaulty) {
    const query = this.#texts(operation, operation.query, random);
    const headers = this.#texts(operation, operation.headers, random, lower, visible);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => names[name]);
    const search = new URLSearchParams(query).toString();
    const slash = random.between(0, 1) < 0.05 ? path.replace(/\/$/, '') : path;
    const request = { method: operation.method, path: slash + (search && `?${search}`), query, headers };
    return { ...request, ...this.#body(operation, headers, random, isFaulty) };
  }

  #body({ id, body, method }, headers, random, isFaulty) {
    const chance = random.between(0, 1);
    // An operation without a body ignores one.
    if (!body) return method !== 'GET' && chance < 0.03 ? { body: '{"unknown":1}', headers: json(headers) } : {};
    const value = this.#bodies.get(id).next();
    if (!isFaulty) return { body: JSON.stringify(value), headers: json(headers) };
    if (chance < 0.8) return { body: JSON.stringify(spoil(value, random)), headers: json(headers) };
    const hostile = hostileBody(value, random);
    // JSON is UTF-8, whatever the charset says.
    const isJson =
      hostile.headers['content-type'].startsWith('application/json') && !hostile.headers['content-encoding'];
    return { ...hostile, headers: { ...headers, ...hostile.headers }, isJson };
  }

  #texts({ id }, parameters, random, keyOf = (name) => name, clean = (text) => text) {
    const texts = {};
    for (const { name } of parameters) {
      const chance = random.between(0, 1);
      if (chance < 0.7) continue;
      const text = chance < 0.9 ? String(this.#parameters.get(`${id} ${name}`).next()) : random.one(HOSTILE_TEXTS);
      texts[keyOf(name)] = clean(text);
    }
    return texts;
  }
}

const lower = (name) => name.toLowerCase();
/** What a client can send as a header. play/raw.mjs sends the rest. */
const visible = (text) => text.replace(/[^\x20-\x7e]/g, '').trim();
const json = (headers) => ({ ...headers, 'content-type': 'application/json' });

/** A name for a place in a path, mostly one that exists. */
export function pickName(known, random) {
  const chance = random.between(0, 1);
  if (known && chance < 0.93) return encodeURIComponent(random.one(known));
  return random.one(HOSTILE_NAMES);
}
