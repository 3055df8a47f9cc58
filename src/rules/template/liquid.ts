import {
  Context,
  Drop,
  Liquid,
  Parser,
  Tag,
  TagToken,
  TypeGuards,
  defaultOperators,
  filters,
  toValue,
  toValueSync,
} from 'liquidjs';
import type { Emitter, FilterImplOptions, Operators, Template, TopLevelToken } from 'liquidjs';
import { findMessage, writeMessage } from '../language/messages.js';
import type { Messages } from '../language/messages.js';
import { LOCAL_FILTERS, applyLocal } from './local-filters.js';
import { RenderTag } from './layout/render-tag.js';
import type { PartialContext } from './layout/render-tag.js';
import { NO_REGION } from './region.js';
import type { Region } from './region.js';
import { unescapeHtml } from './markdown.js';

/*
 * LiquidJS, set up for untrusted templates. It reads no files and no inherited properties. Each rendering has one budget,
 * LiquidJS's `memoryLimit`; we also charge it for work that LiquidJS does not charge.
 */

/** The longest source of one part. Parsing takes up to 0.1 s at this length. */
export const PART_MAX_LENGTH = 128 * 1024;

/** The most `{{` and `{%` in one part. LiquidJS parses in quadratic time: 2.8 s for 52,000 of them, 10 ms for 2,000. */
const PART_MAX_TAGS = 2_000;

/**
 * The stack of Node is 984 KB. Without compiled code, a tag within a tag takes 1.1 KB of it and a bracket within a bracket 0.4 KB: with the
 * most of both, a third of the stack is left.
 */
const MAX_NESTED_TAGS = 300;
const MAX_NESTED_BRACKETS = 500;
/** Brackets in quotes may close others for us that stay open for LiquidJS, so it is also counted how many there are. */
const TAG_MAX_BRACKETS = 1_000;

/** The largest rendered part, in characters. */
const OUTPUT_MAX_LENGTH = 512 * 1024;

/** Limits for rendering one part. A unit of `work` is one copied character or a few nanoseconds of other work. */
export interface PartLimits {
  work: number;
  /** LiquidJS checks it between two tags. */
  milliseconds?: number;
}

export class OutputTooLarge extends Error {
  override name = 'OutputTooLarge';
}

/** Throws if a rendered part is too large. */
export function checkOutput(length: number): void {
  if (length > OUTPUT_MAX_LENGTH)
    throw new OutputTooLarge(`The message is larger than ${OUTPUT_MAX_LENGTH / 1024} KB.`);
}

type Escape = (text: string) => string;

/** Creates a dialect of Liquid that passes every output through `escape`. */
export function createLiquid(escape: Escape | null): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: PART_MAX_LENGTH,
    templates: {},
    operators,
    // Independent of the machine's time zone and language. The `date` filter can set another zone.
    timezoneOffset: 0,
    locale: 'en-US',
    ...(escape && { outputEscape: escaping(escape) }),
  });
  for (const name of ['include', 'layout', 'block']) liquid.registerTag(name, refusedTag(name));
  liquid.registerTag('render', RenderTag);
  for (const [name, filter] of Object.entries(filters)) liquid.registerFilter(name, charged(name, filter));
  for (const [name, filter] of Object.entries(LOCAL_FILTERS)) liquid.registerFilter(name, localized(filter));
  liquid.registerFilter('t', translated);
  if (escape) replaceEscapeFilters(liquid, escape);
  return liquid;
}

/** Makes the escape filters use the dialect's escape, and prevents a second escape after them. */
function replaceEscapeFilters(liquid: Liquid, escape: Escape): void {
  for (const name of ['escape', 'xml_escape']) liquid.registerFilter(name, { raw: true, handler: escaping(escape) });
  const once = escaping((text) => escape(unescapeHtml(text)));
  liquid.registerFilter('escape_once', { raw: true, handler: once });
}

function escaping(escape: Escape): FilterFunction {
  return function (value: unknown): string {
    this.context.memoryLimit.use(weight(value));
    const text = asText(value);
    this.context.memoryLimit.use(text.length);
    return value instanceof SafeHtml ? text : escape(text);
  };
}

/** HTML whose values are escaped already. Its output is not escaped again; a filter makes an ordinary text of it. */
export class SafeHtml extends Drop {
  readonly #html: string;

  constructor(html: string) {
    super();
    this.#html = html;
  }

  override valueOf(): string {
    return this.#html;
  }
}

export function parsePart(liquid: Liquid, source: string): Template[] {
  if (source.length > PART_MAX_LENGTH) throw new Error(`It is longer than ${PART_MAX_LENGTH} characters. Shorten it.`);
  // Inside a `liquid` tag every line is a separate tag.
  const tags = /\{%-?\s*liquid\b/.test(source) ? /\{[{%]|\n/g : /\{[{%]/g;
  if ((source.match(tags)?.length ?? 0) > PART_MAX_TAGS)
    throw new Error(`It has more than ${PART_MAX_TAGS} tags. Use fewer.`);
  return new BoundedParser(liquid).parse(source);
}

/**
 * LiquidJS calls itself for each tag within a tag and for each bracket within a bracket, when it parses and when it renders. Whether
 * 1,000 of them fit on the stack depends on what V8 has compiled so far, so a template could be accepted now and fail later.
 */
class BoundedParser extends Parser {
  #depth = 0;

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    for (const token of tokens)
      if (!TypeGuards.isHTMLToken(token) && !isLiquidTag(token)) checkBrackets(token.getText());
    return super.parseTokens(tokens);
  }

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    if (this.#depth >= MAX_NESTED_TAGS && TypeGuards.isTagToken(token))
      throw new Error(`it has more than ${MAX_NESTED_TAGS} tags within each other: use fewer`);
    this.#depth++;
    const template = super.parseToken(token, rest);
    this.#depth--;
    return template;
  }
}

/** Each of its lines is a token of its own, which is checked in its turn. */
const isLiquidTag = (token: TopLevelToken) => TypeGuards.isTagToken(token) && token.name === 'liquid';

function checkBrackets(tag: string): void {
  let [all, depth, deepest] = [0, 0, 0];
  for (const [bracket] of tag.matchAll(/[[\]()]/g)) {
    const isOpening = bracket === '[' || bracket === '(';
    if (isOpening) all++;
    depth += isOpening ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  if (deepest > MAX_NESTED_BRACKETS)
    throw new Error(`It has more than ${MAX_NESTED_BRACKETS} brackets within each other. Use fewer.`);
  if (all > TAG_MAX_BRACKETS) throw new Error(`It has more than ${TAG_MAX_BRACKETS} brackets in one tag. Use fewer.`);
}

export function renderPart(
  liquid: Liquid,
  part: Template[],
  scope: object,
  limits: PartLimits,
  { region, messages, partials }: Pick<LocalContext, 'region' | 'messages' | 'partials'> = {},
): string {
  const options = { sync: true, memoryLimit: limits.work, renderLimit: limits.milliseconds };
  const context = new LocalContext(scope, liquid.options, options, { liquid });
  context.region = region;
  context.messages = messages;
  context.partials = partials;
  return renderIn(context, liquid, part);
}

const renderIn = (context: LocalContext, liquid: Liquid, part: Template[]) =>
  String(toValueSync(liquid.renderer.renderTemplates(part, context, new CappedEmitter(context))));

/** Renders a partial; `render` renders templates with the budget of the part that uses it. */
export type RenderPartial = (name: string, values: object, render: RenderInside) => string;
type RenderInside = (liquid: Liquid, templates: Template[], scope: object, partials: RenderPartial) => string;

/** Partials are checked when they are written. This is for those that were pinned otherwise. */
const MAX_NESTED_PARTIALS = 20;

/** What it takes to render an empty partial, and more for what is in it. */
const PARTIAL_COST = 200;

/** LiquidJS hands its context to filters. Templates cannot read the region. */
class LocalContext extends Context implements PartialContext {
  region?: Region | undefined;
  /** The messages that the template uses. */
  messages?: Messages | undefined;
  partials?: RenderPartial | undefined;
  depth = 0;

  renderPartial(name: string, values: object): string {
    if (this.depth >= MAX_NESTED_PARTIALS) throw new Error(`more than ${MAX_NESTED_PARTIALS} partials use each other`);
    this.memoryLimit.use(PARTIAL_COST);
    const text = this.partials?.(name, values, (...inside) => this.#inside(...inside));
    if (text === undefined) throw new Error(`there is no partial ${name}`);
    this.memoryLimit.use(text.length);
    return text;
  }

  #inside(...[liquid, templates, scope, partials]: Parameters<RenderInside>): string {
    const { region, messages, memoryLimit, renderLimit } = this;
    const inside = new LocalContext(scope, liquid.options, { sync: true }, { liquid, memoryLimit, renderLimit });
    Object.assign(inside, { region, messages, partials, depth: this.depth + 1 });
    return renderIn(inside, liquid, templates);
  }
}

/** Whether rendering failed because it exceeded its limits. */
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
    checkOutput(this.buffer.length);
  }
}

/** A value as text. An object becomes JSON instead of `[object Object]`. */
function asText(input: unknown): string {
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
      throw new Error(`the ${name} tag is not available: use a layout of the template, or {% render 'partial' %}`);
    }

    override render(): void {}
  };
}

/** The cost of a list: up to 0.3 us per element when it is compared, searched or converted to text or a number. */
function weight(value: unknown): number {
  return Array.isArray(value) ? 16 * elements(value) : 0;
}

function elements(list: unknown[]): number {
  return list.reduce<number>((sum, item) => sum + (Array.isArray(item) ? elements(item) : 1), 1);
}

type Cost = (value: string, argument: string) => number;

const perCharacter: Cost = (value) => value.length;
// Searching is quadratic at worst: searching 128 KB for 64 KB of one letter with another in the middle took 1.7 s.
const perSearch: Cost = (value, pattern) => (value.length * pattern.length) / 64;
// Each `%c` in the format costs 8 us.
const perDate: Cost = (_value, format) => 200 + 100 * format.length;

/** Filters that LiquidJS itself does not charge for. */
const uncharged = new Map<string, Cost>([
  ...['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'slugify'].map((name) => [name, perCharacter] as const),
  ...['replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last', 'split'].map(
    (name) => [name, perSearch] as const,
  ),
  ...['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'].map(
    (name) => [name, perDate] as const,
  ),
]);

/** What it costs to make text of an object. */
const converted = (value: unknown, text: string): number => (typeof value === 'string' ? 0 : text.length);

type FilterFunction = Extract<FilterImplOptions, (...args: never[]) => unknown>;

function charged(name: string, filter: FilterImplOptions): FilterImplOptions {
  const original = typeof filter === 'function' ? filter : filter.handler;
  const cost = uncharged.get(name);
  const handler: FilterFunction = function (value: unknown, ...args: unknown[]): unknown {
    this.context.memoryLimit.use(args.reduce<number>((sum, argument) => sum + weight(argument), weight(value)));
    if (cost) {
      const [text, argument] = [asText(value), asText(args[0])];
      this.context.memoryLimit.use(cost(text, argument) + converted(value, text) + converted(args[0], argument));
    }
    return original.call(this, value, ...args) as unknown;
  };
  return typeof filter === 'function' ? handler : { ...filter, handler };
}

/** What a formatter costs that has to be made. It is charged for each use: a message must not depend on what was rendered before. */
const FORMATTER_COST = 1_000;

function localized(filter: (typeof LOCAL_FILTERS)[string]): FilterFunction {
  return function (value: unknown, ...args: unknown[]): unknown {
    this.context.memoryLimit.use(FORMATTER_COST + weight(value));
    if (typeof value === 'object' || typeof value === 'string') this.context.memoryLimit.use(asText(value).length);
    return applyLocal(filter, toValue(value), (this.context as LocalContext).region ?? NO_REGION, args);
  };
}

/** A message of the project, by its key: `{{ 'order.paid' | t: count: 3 }}`. A key without a message is rendered as it is. */
const translated: FilterFunction = function (key: unknown, ...args: unknown[]): unknown {
  const { region = NO_REGION, messages = {} } = this.context as LocalContext;
  const given = args.filter((each): each is [string, unknown] => Array.isArray(each) && typeof each[0] === 'string');
  const values = Object.fromEntries(given);
  const use = (work: number) => this.context.memoryLimit.use(work);
  use(FORMATTER_COST + given.reduce((sum, [, value]) => sum + weight(value), weight(key)));
  const name = asText(key);
  use(converted(key, name));
  const found = findMessage(messages, name, region.locale, region.usual ?? null);
  if (!found) return key;
  // A message may have the same placeholder hundreds of times.
  const written = new Map<unknown, string>();
  const text = writeMessage(found, values, (value, language) => {
    const known = written.get(value) ?? asText(localNumber(value, language));
    written.set(value, known);
    use(known.length);
    return known;
  });
  use(text.length);
  return text;
};

/** A number as the language of the message writes it. */
const localNumber = (value: unknown, locale: string) =>
  typeof value === 'number' ? LOCAL_FILTERS.local_number!(value, { ...NO_REGION, locale }) : value;

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
