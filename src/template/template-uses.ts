import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  ContinueTag,
  ForTag,
  IfTag,
  TablerowTag,
  TypeGuards,
  UnlessTag,
  Value,
  toValueSync,
} from 'liquidjs';
import type { FilteredValueToken, PropertyAccessToken, Template, Token } from 'liquidjs';
import { EACH, UseBudget, Uses } from '../condition/use.js';
import type { Use } from '../condition/use.js';
import { NOTHING, anyOf, blurred, itemOf, stepInto, usesOf } from './meaning.js';
import type { Meaning } from './meaning.js';

/*
 * Our own walk over the tree that LiquidJS parses. Its `analyze` lists every name alike, in a time that grows with the square
 * of their number (8.7 s for 100 KB of them); which of them a message cannot do without shows only in the tags and filters
 * around them.
 */

/** Filters that leave the items of a list what they are. */
const ALL_ITEMS = new Set(['sort', 'sort_natural', 'reverse']);
const SOME_ITEMS = new Set(['where', 'where_exp', 'reject', 'reject_exp', 'uniq', 'compact', 'slice']);

/** What Liquid itself knows of a text or a list. An object may have fields of these names, but need not. */
const BUILT_IN = new Set<string | number>(['size', 'first', 'last']);

/** What a part of a template looks at, the names that the service fills included. Throws `TooManyUses`. */
export function templateUses(templates: Template[]): Use[] {
  const walk = new TemplateWalk();
  walk.all(templates);
  return walk.found.list();
}

class TemplateWalk {
  readonly #budget = new UseBudget();
  found = new Uses(this.#budget);
  /** The names that the template itself gives. */
  #names = new Map<string, Meaning>();
  /** How many loops are around it. */
  #loops = 0;
  /** Whether no `break` or `continue` may have come before. */
  #certain = true;
  #broken = false;

  all(templates: Template[]): void {
    this.#budget.deeper();
    for (const template of templates) this.#one(template);
    this.#budget.back();
  }

  #one(template: Template): void {
    if (template instanceof IfTag || template instanceof UnlessTag) {
      for (const { value } of template.branches) this.#value(value, false);
      this.#anyOf([...template.branches.map(({ templates }) => templates), template.elseTemplates ?? []]);
    } else if (template instanceof CaseTag) {
      for (const argument of template.arguments()) this.#argument(argument, false);
      this.#anyOf([...template.branches.map(({ templates }) => templates), template.elseTemplates]);
    } else if (template instanceof ForTag) {
      this.#loop(template, template.hash.hash, template.elseTemplates);
    } else if (template instanceof TablerowTag) {
      this.#loop(template, template.args.hash, []);
    } else if (template instanceof AssignTag) {
      const [[name], [value]] = [[...template.localScope()], [...template.arguments()]];
      this.#name(name!.content, this.#meaningOf(value as Value));
    } else if (template instanceof CaptureTag) {
      const made = this.#collected(() => this.all(template.templates));
      this.#name(template.variable, { madeOf: made.list() });
    } else {
      this.#other(template);
    }
  }

  #other(template: Template): void {
    if (template instanceof BreakTag || template instanceof ContinueTag) {
      this.#certain = false;
      this.#broken ||= template instanceof BreakTag;
    }
    for (const argument of template.arguments?.() ?? []) this.#argument(argument, true);
    // `increment` counts for itself.
    for (const { content } of template.localScope?.() ?? []) this.#name(content, NOTHING);
    if (template.children) this.all(toValueSync(template.children(false, true)));
  }

  /** One of them is rendered. */
  #anyOf(branches: Template[][]): void {
    const [names, certain] = [this.#names, this.#certain];
    const ends = branches.map((templates) => {
      [this.#names, this.#certain] = [this.#copied(names), certain];
      const found = this.#collected(() => this.all(templates));
      return { found, names: this.#names, certain: this.#certain };
    });
    this.found.addAnyOf(ends.map((end) => end.found));
    this.#names = this.#merged(ends.map((end) => end.names));
    this.#certain = ends.every((end) => end.certain);
  }

  /** Its templates are rendered any number of times, and `otherwise` in place of none. */
  #loop(tag: ForTag | TablerowTag, options: Record<string, Token | undefined>, otherwise: Template[]): void {
    const list = this.#tokenMeaning(tag.collection, true);
    // A template that says something in place of the items can do without them.
    this.#use(list, otherwise.length === 0);
    const [names, certain, broken] = [this.#names, this.#certain, this.#broken];
    this.#names = this.#copied(names).set('continue', NOTHING);
    for (const option of Object.values(options)) if (option) this.#token(option, true);
    const own = [...tag.blockScope()];
    for (const name of own) this.#names.set(name, NOTHING);
    this.#names.set(tag.variable, itemOf(list, 'limit' in options || 'offset' in options));
    this.#loops++;
    this.#broken = false;
    const found = this.#collected(() => this.all(tag.templates));
    this.#loops--;
    for (const { path, needed } of found.list()) this.found.add(path, needed && !this.#broken);
    const after = this.#names;
    for (const name of [...own, 'continue']) restore(after, name, names);
    [this.#names, this.#certain, this.#broken] = [this.#copied(names), false, broken];
    this.all(otherwise);
    this.#names = this.#merged([names, after, this.#names]);
    this.#certain = certain;
  }

  #copied(names: Map<string, Meaning>): Map<string, Meaning> {
    this.#budget.spend(names.size);
    return new Map(names);
  }

  /** After alternatives. A name that one of them does not give is one that the template is given. */
  #merged(ends: Map<string, Meaning>[]): Map<string, Meaning> {
    const merged = new Map<string, Meaning>();
    for (const name of new Set(ends.flatMap((names) => [...names.keys()]))) {
      const meanings = [...new Set(ends.map((names) => names.get(name)))];
      const [first] = meanings;
      merged.set(name, meanings.length === 1 ? first! : anyOf(meanings.map((each) => each ?? { path: [name] })));
      this.#budget.spend(usesOf(merged.get(name)!).length);
    }
    return merged;
  }

  #name(name: string, meaning: Meaning): void {
    this.#names.set(name, meaning);
    // Whether it is needed shows where the name is used.
    this.#use(meaning, false);
  }

  #meaningOf(value: Value): Meaning {
    const [token, operator] = value.initial.postfix;
    const filters = value.filters.map(({ name }) => name);
    const keepsItems = filters.every((name) => ALL_ITEMS.has(name) || SOME_ITEMS.has(name));
    if (operator || !TypeGuards.isPropertyAccessToken(token) || !keepsItems) {
      return { madeOf: this.#collected(() => this.#value(value, true)).list() };
    }
    for (const { args } of value.filters) this.#filterArguments(args, true);
    const meaning = this.#place(token, true);
    return filters.some((name) => SOME_ITEMS.has(name)) ? { ...meaning, some: true } : meaning;
  }

  #collected(work: () => void): Uses {
    const { found } = this;
    const own = new Uses(this.#budget);
    this.found = own;
    work();
    this.found = found;
    return own;
  }

  #argument(argument: Value | Token, needed: boolean): void {
    if (argument instanceof Value) this.#value(argument, needed);
    else this.#token(argument, needed);
  }

  /** A test, and what has a `default`, can do without. */
  #value({ initial, filters }: Value | FilteredValueToken, needed: boolean): void {
    const withDefault = filters.findLastIndex(({ name }) => name === 'default');
    const isTest = initial.postfix.length > 1;
    for (const token of initial.postfix) this.#token(token, needed && !isTest && withDefault === -1);
    filters.forEach(({ args }, index) => this.#filterArguments(args, needed && index > withDefault));
  }

  #filterArguments(args: Value['filters'][number]['args'], needed: boolean): void {
    for (const argument of args) {
      const token = Array.isArray(argument) ? argument[1] : argument;
      if (token) this.#token(token, needed);
    }
  }

  #token(token: Token, needed: boolean): void {
    this.#budget.deeper();
    this.#use(this.#tokenMeaning(token, needed), needed);
    this.#budget.back();
  }

  #tokenMeaning(token: Token, needed: boolean): Meaning {
    if (TypeGuards.isPropertyAccessToken(token)) return this.#place(token, needed);
    if (TypeGuards.isRangeToken(token)) {
      this.#token(token.lhs, needed);
      this.#token(token.rhs, needed);
    } else if (TypeGuards.isFilteredValueToken(token)) {
      this.#value(token, needed);
    }
    return NOTHING;
  }

  /** As far as it is known: `a[b].c` is somewhere in `a`, and looks at `b`. */
  #place({ variable, props }: PropertyAccessToken, needed: boolean): Meaning {
    const [root, ...steps] = variable ? [variable, ...props] : props;
    let meaning = NOTHING;
    if (!variable && isName(root)) meaning = this.#names.get(String(root.content)) ?? { path: [String(root.content)] };
    else if (root) this.#token(root, needed);
    for (const step of steps) {
      this.#budget.spend(1);
      if (isName(step)) {
        meaning = BUILT_IN.has(step.content) ? blurred(meaning) : stepInto(meaning, step.content);
      } else {
        this.#token(step, needed);
        meaning = blurred(meaning);
      }
    }
    return meaning;
  }

  #use(meaning: Meaning, needed: boolean): void {
    for (const use of usesOf(meaning)) {
      // Within a loop only its own items are sure to be there.
      const isHere = use.path.filter((step) => step === EACH).length === this.#loops;
      this.found.add(use.path, needed && use.needed && this.#certain && isHere);
    }
  }
}

function restore(names: Map<string, Meaning>, name: string, before: Map<string, Meaning>): void {
  const meaning = before.get(name);
  if (meaning) names.set(name, meaning);
  else names.delete(name);
}

function isName(token: Token | undefined): token is Token & { content: string | number } {
  return TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isWordToken(token);
}
