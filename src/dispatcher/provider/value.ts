import { Context, Output, toValueSync, type Template } from 'liquidjs';
import { checkWhen, compiledWhen, namesIn, usesInValue, valueIn } from '../../platform/field/expression/when.js';
import type { CompiledWhen } from '../../platform/field/expression/when.js';
import { StepBudget } from '../../platform/field/expression/when-value.js';
import { isObject } from '../../platform/field/is-object.js';
import { liquid, textOf } from './filters.js';
import type { FilePlace } from './read/place.js';

/** The names that the values of a request use. */
export type Variables = Readonly<Record<string, unknown>>;

/** A value of a file, made once. It is computed for each message; undefined: it is left out. */
export type Value = (names: Variables) => unknown;

/** Which names exist: the first step, and those below it where they are known. */
export type KnownNames = Readonly<Record<string, readonly string[] | null>>;

/** Of all outputs of a request: the largest mail as base64, and some more. */
const MAX_CHARACTERS = 50_000_000;

/** A text around its outputs, such as `Bearer {{ settings.token }}`. Outputs only: a file has no loops and no branches. */
export function textValue(
  place: FilePlace,
  known: KnownNames,
  encode?: (text: string) => string,
  source = place.text(),
): Value {
  if (!source.includes('{{') && !source.includes('{%')) return () => source;
  const parts = place.try(() => liquid.parse(source));
  if (parts.some((part) => 'tagToken' in part || part.token.kind === 4)) place.fail('must not have tags ({% ... %})');
  place.try(() => checkNames(liquid.globalVariableSegmentsSync(parts) as unknown[][], known));
  const pieces = parts.map((part) => pieceOf(part));
  if (pieces.length === 1 && parts[0] instanceof Output && !encode) return pieces[0]!;
  const written = parts.map((part) => !(part instanceof Output));
  return (names) =>
    pieces
      .map((piece, i) => {
        const text = textOf(piece(names));
        return encode && !written[i] ? encode(text) : text;
      })
      .join('');
}

/** A text between outputs is always the same. */
function pieceOf(part: Template): Value {
  if (part instanceof Output) return outputValue(part);
  const text = liquid.renderSync([part], {}) as string;
  return () => text;
}

/** Most outputs are one name without a filter, such as `{{ settings.token }}`: Liquid takes ten times as long to find it. */
function outputValue(output: Output): Value {
  const [, first, second] = /^\{\{-?\s*(settings|message)\.([a-z0-9_]+)\s*-?\}\}$/.exec(output.token.getText()) ?? [];
  if (first === undefined || second === undefined) return (names) => counted(evaluated(output, names), names);
  return (names) => {
    const below = names[first];
    return counted(isObject(below) && Object.hasOwn(below, second) ? below[second] : undefined, names);
  };
}

/** What the values of one request may cost together. Customers write some of these files. */
interface Work {
  steps: StepBudget;
  characters: number;
}

const works = new WeakMap<Variables, Work>();

function workOf(names: Variables): Work {
  const known = works.get(names) ?? { steps: new StepBudget(), characters: 0 };
  works.set(names, known);
  return known;
}

function counted(value: unknown, names: Variables): unknown {
  const work = workOf(names);
  work.characters += typeof value === 'string' ? value.length : 0;
  if (work.characters > MAX_CHARACTERS) throw new Error('the request is too large');
  return value;
}

function evaluated(output: Output, names: Variables): unknown {
  const context = new Context(names, liquid.options, { sync: true });
  return toValueSync(output.value.value(context, false));
}

/** Texts with outputs, and lists and maps of them. `{ $expr: ... }` is the value of a JMESPath expression. */
export function anyValue(place: FilePlace, known: KnownNames): Value {
  const { value } = place;
  if (typeof value === 'string') return value === '' ? () => '' : textValue(place, known);
  if (Array.isArray(value)) return listValue(place, known);
  if (!isObject(value)) return () => value;
  for (const mark of Object.keys(MARKS)) place.at(mark)?.fail('can only be the value of a key');
  const expression = place.at('$expr');
  return expression ? expressionValue(place.only(['$expr']).need('$expr'), known) : mapValue(place, known);
}

function expressionValue(place: FilePlace, known: KnownNames): Value {
  const expression = checked(place, known);
  return (names) => withoutEmpty(valueIn(expression, names, workOf(names).steps));
}

/** A JMESPath expression that can be used with these names. */
export function checked(place: FilePlace, known: KnownNames): CompiledWhen {
  const expression = place.text();
  const problem = checkWhen(expression);
  if (problem !== null) place.fail(`is not valid: ${problem}`);
  const paths = [...usesInValue(expression).map(({ path }) => path), ...namesIn(expression).map((name) => [name])];
  place.try(() => checkNames(paths as unknown[][], known));
  return compiledWhen(expression);
}

function checkNames(paths: readonly (readonly unknown[])[], known: KnownNames): void {
  for (const [first, second] of paths) {
    if (typeof first !== 'string') continue;
    const below = Object.hasOwn(known, first) ? known[first] : undefined;
    if (below === undefined) throw new Error(`there is no ${first}; there are ${Object.keys(known).join(', ')}`);
    if (below && typeof second === 'string' && !below.includes(second))
      throw new Error(
        `there is no ${first}.${second}; there are ${below.map((name) => `${first}.${name}`).join(', ')}`,
      );
  }
}

/** A list that the file wrote empty stays. One whose items are all left out is left out. */
function listValue(place: FilePlace, known: KnownNames): Value {
  const items = place.items().map((item) => anyValue(item, known));
  if (items.length === 0) return () => [];
  return (names) => items.map((item) => item(names)).filter((item) => !isEmpty(item));
}

/** What becomes of a key whose value is computed and empty. */
type WhenEmpty = 'omit' | 'keep' | 'omit the map';

const MARKS: Readonly<Record<string, WhenEmpty>> = { $text: 'keep', $need: 'omit the map' };

/** `{ $text: ... }` stays although it is empty; without the text of `{ $need: ... }`, the map that has it is left out. */
function keyValue(place: FilePlace, known: KnownNames): { make: Value; whenEmpty: WhenEmpty } {
  const [mark, whenEmpty] = Object.entries(MARKS).find(([key]) => isObject(place.value) && key in place.value) ?? [];
  if (mark === undefined || whenEmpty === undefined) {
    // What the file says literally stays, such as `parse: []`.
    return { make: anyValue(place, known), whenEmpty: isEmpty(place.value) ? 'keep' : 'omit' };
  }
  const make = textValue(place.only([mark]).need(mark), known);
  return { make: (names) => textOf(make(names)), whenEmpty };
}

function mapValue(place: FilePlace, known: KnownNames): Value {
  const entries = place.entries().map(([key, value]) => ({ key, ...keyValue(value, known) }));
  if (entries.length === 0) return () => ({});
  return (names) => {
    const made: [key: string, value: unknown][] = [];
    for (const { key, make, whenEmpty } of entries) {
      const value = make(names);
      if (whenEmpty === 'keep' || !isEmpty(value)) made.push([key, value]);
      else if (whenEmpty === 'omit the map') return undefined;
    }
    return Object.fromEntries(made);
  };
}

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

/** The same without keys that have no value: JMESPath says null for what it does not find. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, withoutEmpty(each)] as const)
      .filter(([, each]) => !isEmpty(each)),
  );
}
