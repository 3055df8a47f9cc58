import { createHash } from 'node:crypto';
import type { Liquid, Template } from 'liquidjs';
import { createLiquid, parsePart, renderPart } from './liquid.js';
import type { PartLimits } from './liquid.js';
import { escapeHtml, escapeMarkdown, htmlToText, markdownToHtml } from './markdown.js';
import { isPlain } from './plain.js';

/**
 * What a template is written in. `html` and `markdown` escape what they put out (`| raw` does not), `subject` and `text`
 * do not. `markdown` is another way to write `html`. Without a `text`, the text is taken from the HTML.
 */
export interface TemplateParts {
  subject?: string | null;
  text?: string | null;
  html?: string | null;
  markdown?: string | null;
}

export type TemplatePart = keyof TemplateParts;

export type Json = Record<string, unknown>;

/** What a template knows: the trigger's context at the top level, and names that it cannot overwrite. */
export interface RenderContext {
  context: Json;
  user: Json;
  event: Json;
  application: Json;
  project: Json;
  organization: Json;
  occurrence: Json;
  channel: Json;
}

export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

/** Characters of a subject that are kept: no line of a mail may be longer. */
export const SUBJECT_MAX_LENGTH = 998;

export const TEMPLATE_PARTS = ['subject', 'text', 'html', 'markdown'] as const satisfies TemplatePart[];

const text = createLiquid(null);
const dialects: Record<TemplatePart, Liquid> = {
  subject: text,
  text,
  html: createLiquid(escapeHtml),
  markdown: createLiquid(escapeMarkdown),
};

export interface CompiledTemplate {
  parts: ReadonlyMap<TemplatePart, Template[]>;
  /** It may be rendered in our own process. */
  plain: boolean;
}

/** What is wrong with a template, by part; an empty object when nothing is. */
export function checkTemplate(parts: TemplateParts): Partial<Record<TemplatePart, string[]>> {
  const problems: Partial<Record<TemplatePart, string[]>> = {};
  for (const part of TEMPLATE_PARTS) {
    try {
      parsePart(dialects[part], parts[part] ?? '');
    } catch (error) {
      problems[part] = [(error as Error).message];
    }
  }
  if (parts.html && parts.markdown) (problems.markdown ??= []).push('Give html or markdown, not both.');
  return problems;
}

/** The parts that there are. Throws what `checkTemplate` would have said. */
export function parseTemplate(parts: TemplateParts): Map<TemplatePart, Template[]> {
  const parsed = new Map<TemplatePart, Template[]>();
  for (const part of TEMPLATE_PARTS) {
    const source = parts[part];
    if (source) parsed.set(part, parsePart(dialects[part], source));
  }
  return parsed;
}

/** Throws what `checkTemplate` would have said. */
export function compileTemplate(parts: TemplateParts): CompiledTemplate {
  const compiled = parseTemplate(parts);
  // Markdown and HTML are turned into something else by libraries that keep no time.
  const converts = compiled.has('markdown') || (compiled.has('html') && !compiled.has('text'));
  return { parts: compiled, plain: !converts && [...compiled.values()].every(isPlain) };
}

/** Throws when rendering fails or costs more than `limits` for any one part. */
export function renderTemplate(
  template: CompiledTemplate,
  context: RenderContext,
  limits: PartLimits,
): RenderedMessage {
  const scope = scopeOf(context);
  const part = (name: TemplatePart): string => {
    const compiled = template.parts.get(name);
    // No text that is stored or sent holds a NUL, and filters such as `url_decode` can make one.
    return compiled ? renderPart(dialects[name], compiled, scope, limits).replaceAll('\0', '\ufffd') : '';
  };
  const html = template.parts.has('markdown') ? markdownToHtml(part('markdown')) : part('html');
  return {
    subject: oneLine(part('subject')),
    text: template.parts.has('text') ? part('text') : html && htmlToText(html),
    html,
  };
}

/** Names that the service fills itself, whatever the context has under them. */
export const RESERVED: ReadonlySet<string> = new Set<Exclude<keyof RenderContext, 'context'>>([
  'user',
  'event',
  'application',
  'project',
  'organization',
  'occurrence',
  'channel',
]);

/** Tells one template from another where there is no revision to name it by. */
export function templateKey(parts: TemplateParts): string {
  return createHash('sha256')
    .update(JSON.stringify(TEMPLATE_PARTS.map((part) => parts[part] ?? null)))
    .digest('base64url');
}

// A new object for each message: the `increment` tag writes into it. Without a prototype, a `__proto__` in the context is a
// name like any other.
export function scopeOf({ context, ...reserved }: RenderContext): Json {
  return Object.assign(Object.create(null) as Json, context, reserved);
}

function oneLine(subject: string): string {
  const line = subject.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  // Not through the middle of a character.
  return line.length > SUBJECT_MAX_LENGTH ? line.slice(0, SUBJECT_MAX_LENGTH).replace(/\p{Surrogate}$/u, '') : line;
}
