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
import { EACH, UseBudget, Uses } from '../../platform/field/expression/use.js';
import type { Use } from '../../platform/field/expression/use.js';
import { NOTHING, anyOf, somewhereIn, itemOf, stepInto, usesOf } from './meaning.js';
import type { Meaning } from './meaning.js';

/*
 * This walks the tree that LiquidJS parses. The specs in template-fields.spec.ts were tried with LiquidJS's own means:
 *
 * - `analyze` gives the right answer in 10 of 49 cases, and the right paths in 27. It does not tell needed from optional
 *   (`{{ a }}` from `{{ a | default: 1 }}`), drops the fields of loop items (`items[].name` in
 *   `{% for i in items %}{{ i.name }}{% endfor %}`) and does not follow `assign`. Its time is quadratic: 6.7 s for 10,000 names.
 * - A dry render with `strictVariables` and a recording proxy is right in 17 cases: it sees only one branch of an `if`, and
 *   stops at `break`.
 *
 * The walk relies on these internals of LiquidJS, which liquid-tree.spec.ts checks: the set of tags, the fields of the tags
 * below, `Value.initial.postfix`, `Value.filters` and the token types.
 */

/** Filters that return the items of a list unchanged: all of them, or some. */
const ALL_ITEMS = new Set(['sort', 'sort_natural', 'reverse']);
const SOME_ITEMS = new Set(['where', 'where_exp', 'reject', 'reject_exp', 'uniq', 'compact', 'slice']);

/** Properties that Liquid computes for a text or a list, so they are no fields that a context must have. */
const BUILT_IN = new Set<string | number>(['size', 'first', 'last']);

/** The values that a part of a template reads, including reserved names. Throws `TooManyUses`. */
export function templateUses(templates: Template[]): Use[] {
  const walk = new TemplateWalk();
  walk.all(templates);
  return walk.found.list();
}

class TemplateWalk {
  readonly #budget = new UseBudget();
  found = new Uses(this.#budget);
  /** Names that the template itself defines. */
  #names = new Map<string, Meaning>();
  /** The number of loops around the current tag. */
  #loops = 0;
  /** Whether no `break` or `continue` can have skipped the current tag. */
  #isReached = true;
  /** Whether the current loop has a `break`. */
  #hasBreak = false;

  all(templates: Template[]): void {
    this.#budget.enter();
    for (const template of templates) this.#one(template);
    this.#budget.leave();
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
      this.#isReached = false;
      this.#hasBreak ||= template instanceof BreakTag;
    }
    for (const argument of template.arguments?.() ?? []) this.#argument(argument, true);
    // `increment` and `decrement` define a counter that does not read the context.
    for (const { content } of template.localScope?.() ?? []) this.#name(content, NOTHING);
    if (template.children) this.all(toValueSync(template.children(false, true)));
  }

  /** Exactly one of the branches is rendered. */
  #anyOf(branches: Template[][]): void {
    const [names, isReached] = [this.#names, this.#isReached];
    const ends = branches.map((templates) => {
      [this.#names, this.#isReached] = [this.#copied(names), isReached];
      const found = this.#collected(() => this.all(templates));
      return { found, names: this.#names, isReached: this.#isReached };
    });
    this.found.addAnyOf(ends.map((end) => end.found));
    this.#names = this.#merged(ends.map((end) => end.names));
    this.#isReached = ends.every((end) => end.isReached);
  }

  /** The loop's templates are rendered any number of times; `otherwise` is rendered for an empty list. */
  #loop(tag: ForTag | TablerowTag, options: Record<string, Token | undefined>, otherwise: Template[]): void {
    const list = this.#tokenMeaning(tag.collection, true);
    // With an `else` branch the template works without the list.
    this.#use(list, otherwise.length === 0);
    const [names, isReached, hasBreak] = [this.#names, this.#isReached, this.#hasBreak];
    this.#names = this.#copied(names).set('continue', NOTHING);
    for (const option of Object.values(options)) if (option) this.#token(option, true);
    const own = [...tag.blockScope()];
    for (const name of own) this.#names.set(name, NOTHING);
    this.#names.set(tag.variable, itemOf(list, 'limit' in options || 'offset' in options));
    this.#loops++;
    this.#hasBreak = false;
    const found = this.#collected(() => this.all(tag.templates));
    this.#loops--;
    for (const { path, needed } of found.list()) this.found.add(path, needed && !this.#hasBreak);
    const after = this.#names;
    for (const name of [...own, 'continue']) restore(after, name, names);
    [this.#names, this.#isReached, this.#hasBreak] = [this.#copied(names), false, hasBreak];
    this.all(otherwise);
    this.#names = this.#merged([names, after, this.#names]);
    this.#isReached = isReached;
  }

  #copied(names: Map<string, Meaning>): Map<string, Meaning> {
    this.#budget.spend(names.size);
    return new Map(names);
  }

  /** The names after alternatives. A name that an alternative does not define comes from the context there. */
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
    // The uses of the name decide whether the value is needed.
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

  /** Values in a comparison and values with a `default` are optional. */
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
    this.#budget.enter();
    this.#use(this.#tokenMeaning(token, needed), needed);
    this.#budget.leave();
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

  /** The place as far as it is known: `a[b].c` is somewhere in `a`, and reads `b`. */
  #place({ variable, props }: PropertyAccessToken, needed: boolean): Meaning {
    const [root, ...steps] = variable ? [variable, ...props] : props;
    let meaning = NOTHING;
    if (!variable && isName(root)) meaning = this.#names.get(String(root.content)) ?? { path: [String(root.content)] };
    else if (root) this.#token(root, needed);
    for (const step of steps) {
      this.#budget.spend(1);
      if (isName(step)) {
        meaning = BUILT_IN.has(step.content) ? somewhereIn(meaning) : stepInto(meaning, step.content);
      } else {
        this.#token(step, needed);
        meaning = somewhereIn(meaning);
      }
    }
    return meaning;
  }

  #use(meaning: Meaning, needed: boolean): void {
    for (const use of usesOf(meaning)) {
      // Inside a loop only the loop's own items are certain to exist.
      const isHere = use.path.filter((step) => step === EACH).length === this.#loops;
      this.found.add(use.path, needed && use.needed && this.#isReached && isHere);
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
