import type { Liquid, Template } from 'liquidjs';
import { SafeHtml, parsePart } from '../liquid.js';
import type { RenderPartial } from '../liquid.js';
import { htmlToText } from '../markdown.js';
import { isPlain } from '../plain.js';
import type { Brand, FragmentSource, SharedSources } from './shared.js';
import { textToHtml } from './text-to-html.js';

/** Escapes for HTML, and not at all. */
interface Dialects {
  html: Liquid;
  text: Liquid;
}

interface CompiledFragment {
  html: Template[] | null;
  text: Template[] | null;
}

export interface CompiledShared {
  layout: CompiledFragment | null;
  partials: ReadonlyMap<string, CompiledFragment>;
  brand: Brand;
  plain: boolean;
}

export function compileShared(
  { layout, partials = {}, brand = {} }: SharedSources,
  dialects: Dialects,
): CompiledShared {
  const compile = ({ html, text }: FragmentSource): CompiledFragment => ({
    html: html ? parsePart(dialects.html, html) : null,
    text: text ? parsePart(dialects.text, text) : null,
  });
  const compiled = new Map(Object.entries(partials).map(([name, source]) => [name, compile(source)]));
  const around = layout ? compile(layout) : null;
  const all = [...compiled.values(), ...(around ? [around] : [])];
  const isPlainFragment = ({ html, text }: CompiledFragment) => isPlain(html ?? []) && isPlain(text ?? []);
  // The library that converts HTML to text has no time limit.
  const converts = [...compiled.values()].some(({ text }) => !text);
  return { layout: around, partials: compiled, brand, plain: !converts && all.every(isPlainFragment) };
}

/**
 * Renders partials into HTML and into text. A partial sees `reserved` and the values that it is given, and not the context. If it has no part of the
 * kind that is needed, the other part is converted.
 */
export function partialsInto(
  { partials }: CompiledShared,
  dialects: Dialects,
  reserved: object,
): { html: RenderPartial; text: RenderPartial } {
  const into: { html: RenderPartial; text: RenderPartial } = {
    html: (name, values, render) => {
      const { html, text } = find(name);
      if (html) return render(dialects.html, html, scopeOf(values), into.html);
      return textToHtml(render(dialects.text, text ?? [], scopeOf(values), into.text));
    },
    text: (name, values, render) => {
      const { html, text } = find(name);
      if (text) return render(dialects.text, text, scopeOf(values), into.text);
      return htmlToText(render(dialects.html, html ?? [], scopeOf(values), into.html));
    },
  };
  const find = (name: string): CompiledFragment => {
    const partial = partials.get(name);
    if (!partial) throw new Error(`there is no partial ${name}`);
    return partial;
  };
  const scopeOf = (values: object): object => Object.assign(Object.create(null) as object, reserved, values);
  return into;
}

/** The texts of a message before the layout. */
interface Content {
  html: string;
  /** Null: the template has no text. */
  text: string | null;
}

/** Puts the texts of a message into the layout. A text becomes HTML if the layout has HTML and the template has none. */
export function inLayout(
  { html, text }: CompiledFragment,
  content: Content,
  render: (kind: keyof Dialects, templates: Template[], content: string | SafeHtml) => string,
): { html: string; text: string } {
  const inner = content.html || textToHtml(content.text ?? '');
  const outer = html ? render('html', html, new SafeHtml(inner)) : content.html;
  if (text) return { html: outer, text: render('text', text, content.text ?? htmlToText(inner)) };
  return { html: outer, text: content.text ?? htmlToText(outer) };
}
