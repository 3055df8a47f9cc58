import { createHash } from 'node:crypto';
import type { Liquid, Template } from 'liquidjs';
import { createLiquid, parsePart, renderPart } from './liquid.js';
import type { PartLimits } from './liquid.js';
import { compileShared, inLayout, partialsInto } from './layout/compiled.js';
import type { CompiledShared } from './layout/compiled.js';
import { directionOf } from './layout/direction.js';
import { MarkdownHoles } from './layout/markdown-holes.js';
import { sharedTexts } from './layout/shared.js';
import type { SharedSources } from './layout/shared.js';
import { escapeHtml, escapeMarkdown, htmlToText, markdownToHtml } from './markdown.js';
import { isPlain } from './plain.js';
import { messageKeysIn } from '../language/message-keys.js';
import { languagesFor, mergeMessages } from '../language/messages.js';
import type { Messages } from '../language/messages.js';
import type { UsedLanguage } from '../language/used-language.js';
import { NO_REGION } from './region.js';
import type { Region } from './region.js';
import { parametersOf } from './rich/provider-template.js';
import { hasRichParts, renderRich, richFieldOf, richSourcesOf } from './rich/rich.js';
import type { ProviderTemplate } from './rich/provider-template.js';
import type { RenderedRich, RichPart, RichParts } from './rich/rich.js';

/**
 * The sources of a template. `html`, `markdown` and `mjml` escape their values (except with `| raw`); the others do not. `markdown` and `mjml` are
 * other ways to write `html`. A template that is stored has HTML in the place of its `mjml`. Without a `text`, the text is generated from the HTML.
 */
export interface TemplateParts extends RichParts {
  subject?: string | null;
  text?: string | null;
  html?: string | null;
  markdown?: string | null;
  mjml?: string | null;
  from?: string | null;
  reply_to?: string | null;
  /** By the name of the header. */
  headers?: Readonly<Record<string, string>> | null;
  /** The language of its HTML and text, if they are those of a translation. */
  lang?: string;
  /** The messages of the project that it uses, in all languages. Left out: it uses none. */
  messages?: Messages | null;
  /** The name of the layout around `text` and `html`. Null or left out: none. */
  layout?: string | null;
  /** The sources of the layout and of all partials. Only templates of a ruleset have them, and only those that use any. */
  shared?: SharedSources;
}

/** The parts that a translation may have. */
export type TextParts = Pick<TemplateParts, (typeof TEXT_PARTS)[number]>;

/** A template, and the same template in other languages. `translate` makes one template of it, which can be rendered. */
export interface TranslatedParts extends TemplateParts {
  /** By language tag. */
  translations?: Readonly<Record<string, TextParts>> | null;
}

type SenderPart = 'from' | 'reply_to' | `headers.${string}`;

/** The name of one source of a template: `subject`, `translations.de.subject`. */
export type TemplatePart = (typeof TEXT_PARTS)[number] | SenderPart | RichPart | `${typeof TRANSLATION}${string}`;

type Source = [TemplatePart, string | null | undefined];

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
  /** Where the user acknowledges the occurrence; left out unless a step asks for it. */
  acknowledge_url?: string;
  /** Where the user mutes what the message is about; left out if it has no thread, or nobody can refuse it. */
  mute_url?: string;
  /** What names the message in an answer by SMS; left out with `acknowledge_url`. */
  acknowledge_code?: string;
  /** `count`, `items`, `more`, `first_at`, `last_at`; null: the message is no digest. */
  digest?: object | null;
  /** `number`, `since`, `repeat`. Left out: the notification has no steps. */
  step?: object;
}

export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
  /** Left out: the template sets none, and the channel's settings count. */
  sender?: RenderedSender;
  /** Left out: it has only its text. */
  rich?: RenderedRich;
  /** Left out: the template has no translations. */
  language?: UsedLanguage;
}

interface RenderedSender {
  from?: string;
  reply_to?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A longer subject is cut: no line of a mail may be longer. */
const SUBJECT_MAX_LENGTH = 998;

/** The parts that make up the message itself. */
export const TEXT_PARTS = ['subject', 'text', 'html', 'markdown', 'mjml'] as const;

/** The ways to write the HTML: a template has at most one of them. */
export const HTML_PARTS = ['html', 'markdown', 'mjml'] as const;

/** The fields with one source each. */
const SINGLE_PARTS = [...TEXT_PARTS, 'from', 'reply_to', 'url', 'image'] as const;

/** All fields of a template with sources. */
export const TEMPLATE_PARTS = [
  ...SINGLE_PARTS,
  'headers',
  'actions',
  'data',
  'template',
] as const satisfies (keyof TemplateParts)[];

const HEADER = 'headers.';
const TRANSLATION = 'translations.';

/** Every source of a template in one language, with its name. */
export function sourcesOf(parts: TemplateParts): Source[] {
  const ofHeaders = Object.entries(parts.headers ?? {}).map(([name, source]): Source => [`${HEADER}${name}`, source]);
  return [...SINGLE_PARTS.map((part): Source => [part, parts[part]]), ...ofHeaders, ...richSourcesOf(parts)];
}

/** The sources of a template in all its languages. */
export function allSourcesOf(parts: TranslatedParts): Source[] {
  const ofLanguages = Object.entries(parts.translations ?? {}).flatMap(([language, texts]) =>
    TEXT_PARTS.map((part): Source => [`${TRANSLATION}${language}.${part}`, texts[part]]),
  );
  return [...sourcesOf(parts), ...ofLanguages];
}

/** A template that has only this source. */
export function onlyPart(part: TemplatePart, source: string): TemplateParts {
  if (isHeader(part)) return { headers: { [part.slice(HEADER.length)]: source } };
  // Only whether it can be rendered matters.
  return { [TEMPLATE_PARTS.some((field) => field === part) ? part : 'text']: source };
}

/** The part that a source of a translation stands for. */
const meantBy = (part: TemplatePart): TemplatePart =>
  part.startsWith(TRANSLATION) ? (part.slice(part.lastIndexOf('.') + 1) as TemplatePart) : part;

const isHeader = (part: TemplatePart) => part.startsWith(HEADER);
const isOfSender = (part: TemplatePart): part is SenderPart => part === 'from' || part === 'reply_to' || isHeader(part);

/** The field of a template that a part belongs to. */
export const fieldOfPart = (part: TemplatePart): (typeof TEMPLATE_PARTS)[number] =>
  TEMPLATE_PARTS.find((field) => field === meantBy(part)) ?? richFieldOf(part) ?? 'headers';

const text = createLiquid(null);
const html = createLiquid(escapeHtml);
const markdown = createLiquid(escapeMarkdown);
const dialects = { html, text };
const dialectOf = (part: TemplatePart): Liquid => DIALECTS[meantBy(part)] ?? text;
const DIALECTS: Partial<Record<TemplatePart, Liquid>> = { html, markdown, mjml: html };

export interface CompiledTemplate {
  parts: ReadonlyMap<TemplatePart, Template[]>;
  /** Those of `parts` that say who sends it. */
  senderParts: readonly SenderPart[];
  /** What its url, image, actions, data and template were compiled from; null: it has none. */
  rich: RichParts | null;
  shared: CompiledShared | null;
  /** Whether it may be rendered in our own process. */
  plain: boolean;
  messages?: Messages;
  /** With those of the layout and the partials, whose language says nothing about that of the message. */
  allMessages?: Messages;
  /** Left out: the language of the template itself. */
  lang?: string;
}

/** The problems of a template by part; an empty object when there are none. */
export type TemplateProblems = Partial<Record<TemplatePart, string[]>>;

export function checkTemplate(parts: TranslatedParts): TemplateProblems {
  return tryTemplate(parts).problems;
}

/** Parses the parts that are set, in all languages. Throws on a template that `checkTemplate` refuses. */
export function parseTemplate(parts: TranslatedParts): Map<TemplatePart, Template[]> {
  return new Map(parseSources(allSourcesOf(parts)));
}

/** The same, each part when it is asked for: a large one takes 0.1 s. */
export function parseParts(parts: TranslatedParts): Generator<[TemplatePart, Template[]]> {
  return parseSources(allSourcesOf(parts));
}

function* parseSources(sources: Source[]): Generator<[TemplatePart, Template[]]> {
  for (const [part, source] of sources) if (isSet(part, source)) yield [part, parsePart(dialectOf(part), source)];
}

/** Parses a template that may be wrong, in all its languages. */
export function tryTemplate(parts: TranslatedParts): {
  parsed: Map<TemplatePart, Template[]>;
  problems: TemplateProblems;
  /** The keys of messages that each part uses. */
  keys: Map<TemplatePart, string[]>;
} {
  const parsed = new Map<TemplatePart, Template[]>();
  const keys = new Map<TemplatePart, string[]>();
  const problems: TemplateProblems = {};
  for (const [part, source] of allSourcesOf(parts)) {
    try {
      const templates = parsePart(dialectOf(part), source ?? '');
      const used = messageKeysIn(templates);
      if (isSet(part, source)) parsed.set(part, templates);
      if (used.size > 0) keys.set(part, [...used]);
    } catch (error) {
      problems[part] = [(error as Error).message];
    }
  }
  const inLanguages = Object.entries(parts.translations ?? {}).map(([tag, texts]) => [`${TRANSLATION}${tag}.`, texts]);
  for (const [at, texts] of [['', parts], ...inLanguages] as [string, TextParts][])
    for (const part of HTML_PARTS.filter((each) => texts[each]).slice(1))
      (problems[`${at}${part}` as TemplatePart] ??= []).push(`Give one of ${HTML_PARTS.join(', ')}.`);
  return { parsed, problems, keys };
}

/** Blanks are no text: the text is then generated from the HTML. */
function isSet(part: TemplatePart, source: string | null | undefined): source is string {
  return !!source && (meantBy(part) !== 'text' || source.trim() !== '');
}

/** The length of all sources. The time to parse a template grows with it. */
export function templateLength(parts: TranslatedParts): number {
  const own = allSourcesOf(parts).reduce((sum, [, source]) => sum + (source?.length ?? 0), 0);
  return parts.shared ? sharedTexts(parts.shared).reduce((sum, source) => sum + source.length, own) : own;
}

/** Throws on a template that `checkTemplate` refuses. */
export function compileTemplate(parts: TemplateParts): CompiledTemplate {
  const compiled = new Map(parseSources(sourcesOf(parts)));
  // The libraries that convert Markdown and HTML have no time limit.
  const converts = compiled.has('markdown') || (compiled.has('html') && !compiled.has('text'));
  const senderParts = [...compiled.keys()].filter(isOfSender);
  const shared = parts.shared ? compileShared(parts.shared, dialects) : null;
  const plain = !converts && [...compiled.values()].every(isPlain) && (shared?.plain ?? true);
  const { messages, lang } = parts;
  const rich = hasRichParts(parts) ? parts : null;
  const ofShared = parts.shared?.messages;
  const allMessages = messages && ofShared ? mergeMessages(messages, ofShared) : (ofShared ?? messages);
  return {
    ...{ parts: compiled, senderParts, rich, shared, plain },
    ...(messages && { messages }),
    ...(allMessages && { allMessages }),
    ...(lang && { lang }),
  };
}

/** Throws when rendering fails or a part exceeds `limits`. */
export function renderTemplate(
  template: CompiledTemplate,
  context: RenderContext,
  limits: PartLimits,
): RenderedMessage {
  if (template.shared) return renderWithShared(template, template.shared, context, limits);
  const scope = scopeOf(context);
  const local = { region: context.region, messages: template.allMessages };
  const render = (name: TemplatePart, compiled: Template[]) =>
    renderPart(dialectOf(name), compiled, scope, limits, local);
  return renderParts(template, render, (given) => given);
}

/** PostgreSQL stores no NUL, and filters such as `url_decode` can produce one. */
const withoutNul = (given: string) => given.replaceAll('\0', '\ufffd');

function renderParts(
  template: CompiledTemplate,
  render: (name: TemplatePart, compiled: Template[]) => string,
  fillMarkdown: (html: string) => string,
): RenderedMessage {
  const part = (name: TemplatePart): string => {
    const compiled = template.parts.get(name);
    return compiled ? withoutNul(render(name, compiled)) : '';
  };
  const html = template.parts.has('markdown') ? fillMarkdown(markdownToHtml(part('markdown'))) : part('html');
  const message: RenderedMessage = {
    subject: cut(oneLine(part('subject'))),
    text: template.parts.has('text') ? part('text') : html && htmlToText(html),
    html,
  };
  if (template.senderParts.length > 0) message.sender = renderSender(template.senderParts, part);
  if (template.rich) message.rich = renderRich(template.rich, (name) => part(name).toWellFormed());
  if (message.text === '' && message.rich?.template) message.text = shownTemplate(message.rich.template);
  return message;
}

/** For lists of messages, and for a fallback that has no template of its own: the text itself is at the provider. */
const shownTemplate = (template: ProviderTemplate): string =>
  parametersOf(template)
    .map(([, text]) => text)
    .join(', ') || template.name;

function renderWithShared(
  template: CompiledTemplate,
  shared: CompiledShared,
  context: RenderContext,
  limits: PartLimits,
): RenderedMessage {
  const { region } = context;
  const local = { region, messages: template.allMessages };
  const lang = languageOf(template, region);
  const added = { brand: shared.brand, message: { subject: '', lang, dir: directionOf(lang) } };
  const into = partialsInto(shared, dialects, Object.assign(scopeOf({ ...context, context: {} }), added));
  const holes = new MarkdownHoles(into.html);
  const scope = scopeOf(context);
  const partialsFor = (name: TemplatePart) =>
    name === 'markdown' ? holes.leave : name === 'html' ? into.html : into.text;
  const message = renderParts(
    template,
    (name, compiled) => renderPart(dialectOf(name), compiled, scope, limits, { ...local, partials: partialsFor(name) }),
    (given) => holes.fill(given),
  );
  if (!shared.layout) return message;
  added.message.subject = message.subject;
  const content = { html: message.html, text: template.parts.has('text') ? message.text : null };
  const around = inLayout(shared.layout, content, (kind, compiled, inner) => {
    const outer = Object.assign(scopeOf(context), added, { content: inner });
    return withoutNul(renderPart(dialects[kind], compiled, outer, limits, { ...local, partials: into[kind] }));
  });
  return { ...message, ...around };
}

/** The language that its texts are in, which may be another one than that of its reader: there may be no translation. */
function languageOf({ lang, messages = {} }: CompiledTemplate, { locale, usual = null }: Region = NO_REGION): string {
  return lang ?? languagesFor(messages, locale, usual)[0] ?? usual ?? NO_REGION.locale;
}

/** Empty texts are left out: the channel's settings count then. */
function renderSender(names: readonly SenderPart[], render: (name: SenderPart) => string): RenderedSender | undefined {
  const texts = names.map((name) => [name, oneLine(render(name)).toWellFormed()] as const).filter(([, text]) => text);
  const isMailbox = ([name]: (typeof texts)[number]) => !isHeader(name);
  const mailboxes: RenderedSender = Object.fromEntries(texts.filter(isMailbox));
  const headers = texts.filter((each) => !isMailbox(each)).map(([name, text]) => [name.slice(HEADER.length), text]);
  if (headers.length > 0) return { ...mailboxes, headers: Object.fromEntries(headers) as Record<string, string> };
  return texts.length > 0 ? mailboxes : undefined;
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
  'acknowledge_url',
  'mute_url',
  'acknowledge_code',
  'digest',
]);

/** An identifier for a template that has no revision. */
export function templateKey(parts: TemplateParts): string {
  const known = keys.get(parts);
  if (known !== undefined) return known;
  const key = createHash('sha256')
    .update(
      JSON.stringify([...TEMPLATE_PARTS.map((part) => parts[part] ?? null), parts.messages, parts.shared, parts.lang]),
    )
    .digest('base64url');
  keys.set(parts, key);
  return key;
}

/** The keys of templates in cached rulesets: many small occurrences use the same object. */
const keys = new WeakMap<TemplateParts, string>();

// A new object for each message, because the `increment` tag writes into it. It has no prototype, so that `__proto__` in the
// context is an ordinary name.
export function scopeOf(given: RenderContext): Json {
  const { context, digest, step, region: _, ...reserved } = given;
  // Other messages may have fields `digest` and `step` of their own: the names were free before there were digests and steps.
  return Object.assign(Object.create(null) as Json, context, reserved, digest && { digest }, step && { step });
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function cut(line: string): string {
  // The cut must not split a character.
  return line.length > SUBJECT_MAX_LENGTH ? line.slice(0, SUBJECT_MAX_LENGTH).replace(/\p{Surrogate}$/u, '') : line;
}
