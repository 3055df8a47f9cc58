import { createHash } from 'node:crypto';
import type { Liquid, Template } from 'liquidjs';
import { createLiquid, parsePart, renderPart } from './liquid.js';
import type { PartLimits } from './liquid.js';
import { escapeHtml, escapeMarkdown, htmlToText, markdownToHtml } from './markdown.js';
import { isPlain } from './plain.js';
import type { Region } from './region.js';

/**
 * The sources of a template. `html` and `markdown` escape their values (except with `| raw`); `subject` and `text` do not.
 * `markdown` is another way to write `html`. Without a `text`, the text is generated from the HTML.
 */
export interface TemplateParts {
  subject?: string | null;
  text?: string | null;
  html?: string | null;
  markdown?: string | null;
}

export type TemplatePart = keyof TemplateParts;

export type Json = Record<string, unknown>;

/** The data of a template: the trigger's context at the top level, and reserved names that the context cannot overwrite. */
export interface RenderContext {
  context: Json;
  /** Null in a post to a room. */
  user: Json | null;
  /** What the filters for dates, numbers and lists follow. Templates cannot read it. Left out: English and UTC. */
  region?: Region;
  event: Json;
  application: Json;
  project: Json;
  organization: Json;
  occurrence: Json;
  channel: Json;
  /** Where the user unsubscribes; left out where that is not possible. */
  unsubscribe_url?: string;
  /** Where the user chooses what to get; left out without a `PUBLIC_URL`. */
  preferences_url?: string;
  /** `count`, `items`, `more`, `first_at`, `last_at`; null: the message is no digest. */
  digest?: object | null;
}

export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

/** A longer subject is cut: no line of a mail may be longer. */
const SUBJECT_MAX_LENGTH = 998;

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
  /** Whether it may be rendered in our own process. */
  plain: boolean;
}

/** The problems of a template by part; an empty object when there are none. */
export type TemplateProblems = Partial<Record<TemplatePart, string[]>>;

export function checkTemplate(parts: TemplateParts): TemplateProblems {
  return tryTemplate(parts).problems;
}

/** Parses the parts that are set. Throws on a template that `checkTemplate` refuses. */
export function parseTemplate(parts: TemplateParts): Map<TemplatePart, Template[]> {
  const parsed = new Map<TemplatePart, Template[]>();
  for (const part of TEMPLATE_PARTS) {
    const source = parts[part];
    if (isSet(part, source)) parsed.set(part, parsePart(dialects[part], source));
  }
  return parsed;
}

/** Parses a template that may be wrong. */
export function tryTemplate(parts: TemplateParts): {
  parsed: Map<TemplatePart, Template[]>;
  problems: TemplateProblems;
} {
  const parsed = new Map<TemplatePart, Template[]>();
  const problems: TemplateProblems = {};
  for (const part of TEMPLATE_PARTS) {
    const source = parts[part];
    try {
      const templates = parsePart(dialects[part], source ?? '');
      if (isSet(part, source)) parsed.set(part, templates);
    } catch (error) {
      problems[part] = [(error as Error).message];
    }
  }
  if (parts.html && parts.markdown) (problems.markdown ??= []).push('Give html or markdown, not both.');
  return { parsed, problems };
}

/** Blanks are no text: the text is then generated from the HTML. */
function isSet(part: TemplatePart, source: string | null | undefined): source is string {
  return !!source && (part !== 'text' || source.trim() !== '');
}

/** The length of all sources. The time to parse a template grows with it. */
export function templateLength(parts: TemplateParts): number {
  return TEMPLATE_PARTS.reduce((sum, part) => sum + (parts[part]?.length ?? 0), 0);
}

/** Throws on a template that `checkTemplate` refuses. */
export function compileTemplate(parts: TemplateParts): CompiledTemplate {
  const compiled = parseTemplate(parts);
  // The libraries that convert Markdown and HTML have no time limit.
  const converts = compiled.has('markdown') || (compiled.has('html') && !compiled.has('text'));
  return { parts: compiled, plain: !converts && [...compiled.values()].every(isPlain) };
}

/** Throws when rendering fails or a part exceeds `limits`. */
export function renderTemplate(
  template: CompiledTemplate,
  context: RenderContext,
  limits: PartLimits,
): RenderedMessage {
  const scope = scopeOf(context);
  const part = (name: TemplatePart): string => {
    const compiled = template.parts.get(name);
    // PostgreSQL stores no NUL, and filters such as `url_decode` can produce one.
    return compiled
      ? renderPart(dialects[name], compiled, scope, limits, context.region).replaceAll('\0', '\ufffd')
      : '';
  };
  const html = template.parts.has('markdown') ? markdownToHtml(part('markdown')) : part('html');
  return {
    subject: oneLine(part('subject')),
    text: template.parts.has('text') ? part('text') : html && htmlToText(html),
    html,
  };
}

/** Reserved names: the service fills them and ignores the context's values. */
export const RESERVED: ReadonlySet<string> = new Set<Exclude<keyof RenderContext, 'context' | 'region'>>([
  'user',
  'event',
  'application',
  'project',
  'organization',
  'occurrence',
  'channel',
  'unsubscribe_url',
  'preferences_url',
  'digest',
]);

/** An identifier for a template that has no revision. */
export function templateKey(parts: TemplateParts): string {
  const known = keys.get(parts);
  if (known !== undefined) return known;
  const key = createHash('sha256')
    .update(JSON.stringify(TEMPLATE_PARTS.map((part) => parts[part] ?? null)))
    .digest('base64url');
  keys.set(parts, key);
  return key;
}

/** The keys of templates in cached rulesets: many small occurrences use the same object. */
const keys = new WeakMap<TemplateParts, string>();

// A new object for each message, because the `increment` tag writes into it. It has no prototype, so that `__proto__` in the
// context is an ordinary name.
export function scopeOf(given: RenderContext): Json {
  const { context, digest, region: _, ...reserved } = given;
  // Other messages may have a field `digest` of their own: the name was free before there were digests.
  return Object.assign(Object.create(null) as Json, context, reserved, digest && { digest });
}

function oneLine(subject: string): string {
  const line = subject.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  // The cut must not split a character.
  return line.length > SUBJECT_MAX_LENGTH ? line.slice(0, SUBJECT_MAX_LENGTH).replace(/\p{Surrogate}$/u, '') : line;
}
