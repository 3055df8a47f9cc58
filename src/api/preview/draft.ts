import { isObject } from '../../platform/field/is-object.js';
import type { Renderer } from '../../rules/render/renderer.js';
import type { Subject } from '../../rules/ruleset/message.js';
import { onlyPart, sourcesOf, templateKey } from '../../rules/template/template.js';
import type { RenderContext, RenderedMessage, TemplateParts } from '../../rules/template/template.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';

export const SAMPLE_CHANNEL = { slug: 'sample', name: 'Sample', type: 'inbox', config: {} };
export const SAMPLE_USER = { email: 'sam@example.com', firstName: 'Sam', lastName: 'Sample', customFields: {} };

/** A digest with one item. A `digest` in the draft's context replaces it, to see more of them. */
export function sampleDigest({ context, createdAt }: Pick<Subject, 'context' | 'createdAt'>): object {
  const at = createdAt.toISOString();
  return isObject(context.digest) ? context.digest : { count: 1, items: [context], more: 0, first_at: at, last_at: at };
}

/** The first step of a notification. A `step` in the context of the draft is a field like any other, unless the notification has steps. */
export const sampleStep = ({ context, createdAt }: Pick<Subject, 'context' | 'createdAt'>): RenderContext['step'] =>
  Object.hasOwn(context, 'step') ? undefined : { number: 1, since: createdAt.toISOString(), repeat: 0 };

/** Why a draft cannot be rendered. */
interface DraftFailure {
  /** The part that fails; `body`: only the whole draft does. */
  part: string;
  problem: string;
}

type Inspect = (parts: TemplateParts, contexts: RenderContext[]) => Promise<TemplateReport>;

/** A draft as it would be sent, and the fields without a value; null: too many to analyse. */
export interface RenderedDraft {
  message: RenderedMessage;
  missing: string[] | null;
  optional: string[] | null;
}

/** Renders a draft that is not stored, and names the fields without a value. */
export async function renderDraft(
  renderer: Renderer,
  inspect: Inspect,
  parts: TemplateParts,
  context: RenderContext,
): Promise<RenderedDraft | DraftFailure> {
  const result = await renderOnce(renderer, parts, context);
  if (!result.ok) return { part: await failingPart(renderer, parts, context), problem: result.error };
  const { lacking } = await inspect(parts, [context]);
  const { needed: missing = null, optional = null } = lacking?.[0] ?? {};
  return { message: result.message, missing, optional };
}

/** Renders each part alone to find the one that fails. */
async function failingPart(renderer: Renderer, parts: TemplateParts, context: RenderContext): Promise<string> {
  // Without the layout: it needs text or HTML.
  const shared = parts.shared && { ...parts.shared, layout: undefined };
  for (const [part, source] of sourcesOf(parts)) {
    if (source && !(await renderOnce(renderer, { ...onlyPart(part, source), shared }, context)).ok) return part;
  }
  return 'body';
}

async function renderOnce(renderer: Renderer, parts: TemplateParts, context: RenderContext) {
  const [result] = await renderer.render({ key: templateKey(parts), parts }, [context]);
  return result!;
}
