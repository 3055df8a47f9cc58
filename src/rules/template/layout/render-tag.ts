import { Hash, Tag, TypeGuards, toValueSync } from 'liquidjs';
import type { Context, Emitter, Liquid, TagToken, Template, TopLevelToken, ValueToken } from 'liquidjs';

/** What the context of a template can do that uses partials. */
export interface PartialContext extends Context {
  /** Renders a partial that sees these values. */
  renderPartial(name: string, values: object): string;
}

const NAME = /^[a-z0-9][a-z0-9_-]*$/;
const NEEDS_NAME = "the render tag needs the name of a partial in quotes, such as {% render 'footer' %}";

/** `{% render 'footer', year: 2026 %}`. The name is fixed, so that it is known which templates use a partial. */
export class RenderTag extends Tag {
  readonly partial: string;
  private readonly values: Hash;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const { tokenizer } = token;
    const name = tokenizer.readValue();
    if (!TypeGuards.isQuotedToken(name) || !NAME.test(name.content)) throw new Error(NEEDS_NAME);
    this.partial = name.content;
    this.values = new Hash(tokenizer, liquid.options.keyValueSeparator);
    tokenizer.skipBlank();
    const rest = tokenizer.remaining().trim();
    const bare = Object.entries(this.values.hash).find(([, value]) => value === undefined)?.[0];
    if (rest || bare !== undefined)
      throw new Error(`the render tag takes values such as year: 2026, and not "${rest || bare}"`);
  }

  override *render(context: PartialContext, emitter: Emitter): Generator<unknown, void, unknown> {
    const values = (yield this.values.render(context)) as object;
    emitter.write(context.renderPartial(this.partial, values));
  }

  *arguments(): Generator<ValueToken> {
    for (const value of Object.values(this.values.hash)) if (value) yield value as ValueToken;
  }
}

/** The names of the partials that templates render themselves. */
export function partialsIn(templates: Template[], found = new Set<string>()): Set<string> {
  for (const template of templates) {
    if (template instanceof RenderTag) found.add(template.partial);
    else if (template.children) partialsIn(toValueSync(template.children(false, true)), found);
  }
  return found;
}
