import fc from 'fast-check';

const MOST_ITEMS = 4;
const MOST_LETTERS = 40;

/** Free-form JSON, as in a context. */
const json = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

/**
 * Values that a schema of the contract allows.
 * @param {any} schema
 * @param {{ resolve: (ref: string) => any, hints: Record<string, fc.Arbitrary<unknown>> }} world
 * @param {string} name of the field
 * @returns {fc.Arbitrary<unknown>}
 */
export function arbitraryOf(schema, world, name = '') {
  const hint = world.hints[name];
  const any = plain(schema, world, name);
  return hint ? fc.oneof({ arbitrary: hint, weight: 6 }, { arbitrary: any, weight: 1 }) : any;
}

function plain(schema, world, name) {
  if (schema.$ref) return arbitraryOf(world.resolve(schema.$ref), world, name);
  if (schema.anyOf ?? schema.oneOf)
    return fc.oneof(...(schema.anyOf ?? schema.oneOf).map((each) => plain(each, world, name)));
  if (schema.allOf) return plain(schema.allOf[0], world, name);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => plain({ ...schema, type }, world, name)));
  return OF_TYPE[types[0]](schema, world);
}

const OF_TYPE = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  integer: ({ minimum = -(2 ** 31), maximum = 2 ** 31 }) =>
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
  string: textOf,
  array: ({ items, minItems = 0, maxItems = MOST_ITEMS }, world) =>
    fc.array(arbitraryOf(items ?? {}, world, items?.type === 'string' && !items.enum ? '_items' : ''), {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, MOST_ITEMS)),
    }),
  object: ({ properties, required = [] }, world) => {
    if (!properties) return json;
    const fields = Object.fromEntries(
      Object.entries(properties).map(([key, each]) => [key, arbitraryOf(each, world, key)]),
    );
    return fc.record(fields, { requiredKeys: required });
  },
};

function textOf({ format, pattern, minLength = 0, maxLength = MOST_LETTERS }) {
  if (format === 'date-time') return times;
  if (format === 'email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  // fast-check knows no lookaheads. What they forbid is too rare to matter.
  const known = pattern?.replace(/\(\?[!=][^)]*\)/g, '');
  if (known && known !== '\\S') return fc.stringMatching(new RegExp(known));
  const length = { minLength: Math.max(minLength, pattern ? 1 : 0), maxLength: Math.min(maxLength, MOST_LETTERS) };
  const texts = fc.oneof(
    fc.string(length),
    fc.fullUnicodeString(length),
    fc.constant('x'.repeat(Math.min(maxLength, 2000))),
  );
  return pattern ? texts.filter((text) => new RegExp(pattern).test(text)) : texts;
}

const times = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Samples of an arbitrary, made in batches: one at a time costs several times as much. */
export class Samples {
  #arbitrary;
  #seed;
  #batch = [];

  constructor(arbitrary, seed) {
    this.#arbitrary = arbitrary;
    this.#seed = seed;
  }

  next() {
    if (this.#batch.length === 0) this.#batch = fc.sample(this.#arbitrary, { numRuns: 100, seed: this.#seed++ });
    return this.#batch.pop();
  }
}
