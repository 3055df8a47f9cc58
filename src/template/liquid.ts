import { Context, Liquid, Tag, TagToken, defaultOperators, filters, toValue, toValueSync } from 'liquidjs';
import type { Emitter, FilterImplOptions, Operators, Template, TopLevelToken } from 'liquidjs';
import { unescapeHtml } from './markdown.js';

/*
 * LiquidJS, set up for templates that strangers write. It has no files, reads own properties only, and pays for its work
 * from one allowance per rendering: LiquidJS's `memoryLimit`, which we charge also where LiquidJS forgets to.
 */

/** Longest source of one part. Parsing takes up to 0.1 s at this length. */
export const PART_MAX_LENGTH = 128 * 1024;

/** Most `{{` and `{%` in one part: LiquidJS parses in quadratic time (2.8 s for 52,000 of them, 10 ms for 2,000). */
export const PART_MAX_TAGS = 2_000;

/** Largest rendered part, in characters. */
export const OUTPUT_MAX_LENGTH = 512 * 1024;

/** What rendering one part may cost. A unit of `work` is a character that is copied or a few nanoseconds of anything. */
export interface PartLimits {
  work: number;
  milliseconds: number;
}

export class OutputTooLarge extends Error {
  override name = 'OutputTooLarge';
}

type Escape = (text: string) => string;

/** A dialect of Liquid whose outputs pass through `escape`. */
export function createLiquid(escape: Escape | null): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: PART_MAX_LENGTH,
    templates: {},
    operators,
    // The same message on every machine, whatever its clock and language; the `date` filter takes a zone of its own.
    timezoneOffset: 0,
    locale: 'en-US',
    ...(escape && { outputEscape: escaping(escape) }),
  });
  for (const name of ['include', 'render', 'layout', 'block']) liquid.registerTag(name, refusedTag(name));
  for (const [name, filter] of Object.entries(filters)) liquid.registerFilter(name, charged(name, filter));
  if (escape) escapeByHandOnce(liquid, escape);
  return liquid;
}

/** What an author escapes is not escaped again, and is escaped in the way of the dialect. */
function escapeByHandOnce(liquid: Liquid, escape: Escape): void {
  for (const name of ['escape', 'xml_escape']) liquid.registerFilter(name, { raw: true, handler: escaping(escape) });
  const once = escaping((text) => escape(unescapeHtml(text)));
  liquid.registerFilter('escape_once', { raw: true, handler: once });
}

function escaping(escape: Escape): FilterFunction {
  return function (value: unknown): string {
    this.context.memoryLimit.use(weight(value));
    const text = asText(value);
    this.context.memoryLimit.use(text.length);
    return escape(text);
  };
}

export function parsePart(liquid: Liquid, source: string): Template[] {
  if (source.length > PART_MAX_LENGTH) throw new Error(`It is longer than ${PART_MAX_LENGTH} characters.`);
  // Inside a `liquid` tag every line is a tag of its own.
  const tags = /\{%-?\s*liquid\b/.test(source) ? /\{[{%]|\n/g : /\{[{%]/g;
  if ((source.match(tags)?.length ?? 0) > PART_MAX_TAGS) throw new Error(`It has more than ${PART_MAX_TAGS} tags.`);
  return liquid.parse(source);
}

export function renderPart(liquid: Liquid, part: Template[], scope: object, limits: PartLimits): string {
  const options = { sync: true, memoryLimit: limits.work, renderLimit: limits.milliseconds };
  const context = new Context(scope, liquid.options, options, { liquid });
  return String(toValueSync(liquid.renderer.renderTemplates(part, context, new CappedEmitter(context))));
}

/** Whether an error says that rendering cost more than its limits. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof Error && /(memory alloc|template render) limit exceeded/.test(error.message);
}

class CappedEmitter implements Emitter {
  readonly #context: Context;
  buffer = '';

  constructor(context: Context) {
    this.#context = context;
  }

  write(value: unknown): void {
    this.#context.memoryLimit.use(weight(value));
    this.buffer += asText(value);
    if (this.buffer.length > OUTPUT_MAX_LENGTH) {
      throw new OutputTooLarge(`The message is larger than ${OUTPUT_MAX_LENGTH / 1024} KB.`);
    }
  }
}

/** A value as a person reads it. An object is JSON: `[object Object]` helps nobody. */
export function asText(input: unknown): string {
  const value = toValue(input) as unknown;
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(asText).join('');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function refusedTag(name: string): new (token: TagToken, remaining: TopLevelToken[], liquid: Liquid) => Tag {
  return class extends Tag {
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      throw new Error(`the ${name} tag is not available, a template stands alone`);
    }

    override render(): void {}
  };
}

/** Lists cost up to 0.3 us an element, wherever they are compared, searched or turned into text or a number. */
function weight(value: unknown): number {
  return Array.isArray(value) ? 16 * elements(value) : 0;
}

function elements(list: unknown[]): number {
  return list.reduce<number>((sum, item) => sum + (Array.isArray(item) ? elements(item) : 1), 1);
}

type Cost = (value: string, argument: string) => number;

const perCharacter: Cost = (value) => value.length;
// Searching is quadratic at worst: 64 KB of one letter with another in its middle, looked for in 128 KB, took 1.7 s.
const perSearch: Cost = (value, pattern) => (value.length * pattern.length) / 64;
// 8 us for each `%c` in the format.
const perDate: Cost = (_value, format) => 200 + 100 * format.length;

/** What LiquidJS itself does not charge for. */
const uncharged = new Map<string, Cost>([
  ...['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'slugify'].map((name) => [name, perCharacter] as const),
  ...['replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last', 'split'].map(
    (name) => [name, perSearch] as const,
  ),
  ...['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'].map(
    (name) => [name, perDate] as const,
  ),
]);

type FilterFunction = Extract<FilterImplOptions, (...args: never[]) => unknown>;

function charged(name: string, filter: FilterImplOptions): FilterImplOptions {
  const original = typeof filter === 'function' ? filter : filter.handler;
  const cost = uncharged.get(name);
  const handler: FilterFunction = function (value: unknown, ...args: unknown[]): unknown {
    this.context.memoryLimit.use(args.reduce<number>((sum, argument) => sum + weight(argument), weight(value)));
    if (cost) this.context.memoryLimit.use(cost(asText(value), asText(args[0])));
    return original.call(this, value, ...args) as unknown;
  };
  return typeof filter === 'function' ? handler : { ...filter, handler };
}

function chargedOperator(name: string): Operators[string] {
  const original = defaultOperators[name] as (left: unknown, right: unknown, context: Context) => boolean;
  return (left: unknown, right: unknown, context: Context) => {
    context.memoryLimit.use(weight(left) + weight(right));
    if (name === 'contains' && typeof left === 'string') context.memoryLimit.use(perSearch(left, asText(right)));
    return original(left, right, context);
  };
}

const operators: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>=', 'contains'].map((name) => [name, chargedOperator(name)])),
};
