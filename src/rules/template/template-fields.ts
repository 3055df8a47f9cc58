import type { Template } from 'liquidjs';
import { TooManyUses } from '../../platform/field/expression/use.js';
import type { Use } from '../../platform/field/expression/use.js';
import { addUse, lackingIn, newField } from './field.js';
import type { Field, Lacking } from './field.js';
import { convertMjml } from './mjml/convert-parts.js';
import type { ConvertedMjml } from './mjml/convert-parts.js';
import { emptyLinks, withoutLinks } from './links.js';
import { partialsIn } from './layout/render-tag.js';
import { parseParts, parseTemplate, scopeOf, tryTemplate } from './template.js';
import type { RenderContext, TemplatePart, TemplateProblems, TranslatedParts } from './template.js';
import { templateUses } from './template-uses.js';
import { unknownFieldsOf } from './unknown-fields.js';
import type { UnknownTemplateField } from './unknown-fields.js';

interface PartUses {
  part: TemplatePart;
  uses: Use[] | null;
}

/** The values that each part reads, in all languages; null for a part with too many names to analyse. */
export function usesInTemplate(parts: TranslatedParts): PartUses[] {
  return [...eachUse(parts)];
}

/** The same, each part when it is asked for: a large one takes 0.1 s. */
export function* eachUse(parts: TranslatedParts): Generator<PartUses> {
  for (const [part, templates] of parseParts(parts)) yield { part, uses: usesIn(templates) };
  yield* usesInLayout(parts);
}

/** Names that a layout gets from us. */
const OF_LAYOUT: ReadonlySet<unknown> = new Set(['content', 'brand', 'message']);

/** What the layout reads of the context and of the reserved names. Partials see no context. */
function usesInLayout({ shared }: TranslatedParts): PartUses[] {
  const { html, text } = shared?.layout ?? {};
  return usesInParts(parseTemplate({ html, text })).map(({ part, uses }) => ({
    part,
    uses: uses && uses.filter(({ path }) => !OF_LAYOUT.has(path[0])),
  }));
}

function usesInParts(parsed: Map<TemplatePart, Template[]>): PartUses[] {
  return [...parsed].map(([part, templates]) => ({ part, uses: usesIn(templates) }));
}

function usesIn(templates: Template[]): Use[] | null {
  try {
    return templateUses(templates);
  } catch (error) {
    if (error instanceof TooManyUses) return null;
    throw error;
  }
}

/** The fields that the parts read; null when a part has too many names. Slow, so call it once for many contexts. */
export function fieldsOfUses(used: PartUses[]): Field<TemplatePart> | null {
  const root = newField<TemplatePart>();
  for (const { part, uses } of used) {
    if (!uses) return null;
    for (const use of uses) addUse(root, use, part);
  }
  return root;
}

const FILES = 'occurrence.attachments';

/** What a template reads and a context does not have. */
interface LackingInContext extends Lacking {
  /** Why links are empty. */
  links: string[];
}

export function lackingInContext(fields: Field<unknown>, context: RenderContext): LackingInContext {
  const lacking = lackingIn(fields, scopeOf(context));
  // A message that is no digest, or that carries no files, renders these as nothing. Nobody can fill them in.
  const absent = [...(context.digest ? [] : ['digest']), ...(context.occurrence.attachments ? [] : [FILES])];
  const isGiven = (path: string) => absent.every((name) => path !== name && !path.startsWith(`${name}.`));
  return {
    needed: withoutLinks(lacking.needed).filter(isGiven),
    optional: withoutLinks(lacking.optional).filter(isGiven),
    links: emptyLinks(lacking.needed, context),
  };
}

/** What a template tells without being rendered. It can be sent to another process. */
export interface TemplateReport {
  problems: TemplateProblems;
  /** What its MJML becomes: by language tag, '' for the template itself. */
  html: ConvertedMjml['html'];
  /** The parts that use `user`, without those that have too many names to analyse. */
  userParts: TemplatePart[];
  /** The parts that use `content`, as layouts must, or that have too many names to analyse. */
  contentParts: TemplatePart[];
  /** The keys of messages that each part uses. */
  keys: { part: TemplatePart; key: string }[];
  /** Fields of `user`, `event` and `organization` that do not exist. */
  unknown: (UnknownTemplateField & { part: TemplatePart })[];
  /** The partials that the template itself renders. */
  partials: { part: TemplatePart; name: string }[];
  /** What each context lacks; null when a part has too many names to analyse. */
  lacking: LackingInContext[] | null;
}

/** Parses a template once, and tells all of it. Takes up to 0.1 s for a large one. */
export function inspectTemplate(parts: TranslatedParts, contexts: RenderContext[] = []): TemplateReport {
  const { parsed, problems: ofLiquid, keys } = tryTemplate(parts);
  const { html, problems } = Object.keys(ofLiquid).length > 0 ? { html: {}, problems: ofLiquid } : convertMjml(parts);
  if (Object.keys(problems).length > 0)
    return { problems, html, userParts: [], contentParts: [], keys: [], unknown: [], partials: [], lacking: null };
  const used = [...usesInParts(parsed), ...usesInLayout(parts)];
  const usesUser = ({ uses }: PartUses) => uses?.some(({ path }) => path[0] === 'user');
  const usesContent = ({ uses }: PartUses) => uses?.some(({ path }) => path[0] === 'content') ?? true;
  const fields = contexts.length > 0 ? fieldsOfUses(used) : null;
  return {
    problems,
    html,
    userParts: used.filter(usesUser).map(({ part }) => part),
    contentParts: used.filter(usesContent).map(({ part }) => part),
    keys: [...keys].flatMap(([part, used]) => used.map((key) => ({ part, key }))),
    unknown: used.flatMap(({ part, uses }) => unknownFieldsOf(uses ?? []).map((each) => ({ part, ...each }))),
    partials: [...parsed].flatMap(([part, templates]) => [...partialsIn(templates)].map((name) => ({ part, name }))),
    lacking: fields && contexts.map((context) => lackingInContext(fields, context)),
  };
}
