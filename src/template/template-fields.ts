import type { Template } from 'liquidjs';
import { TooManyUses } from '../condition/use.js';
import type { Use } from '../condition/use.js';
import { addUse, lackingIn, newField } from './field.js';
import type { Field, Lacking } from './field.js';
import { parseTemplate, scopeOf } from './template.js';
import type { RenderContext, TemplatePart, TemplateParts } from './template.js';
import { templateUses } from './template-uses.js';

/** The values that each part reads; null for a part with too many names to analyse. */
export function usesInTemplate(parts: TemplateParts): { part: TemplatePart; uses: Use[] | null }[] {
  return [...parseTemplate(parts)].map(([part, templates]) => ({ part, uses: usesIn(templates) }));
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
export function fieldsOfTemplate(parts: TemplateParts): Field<TemplatePart> | null {
  const root = newField<TemplatePart>();
  for (const { part, uses } of usesInTemplate(parts)) {
    if (!uses) return null;
    for (const use of uses) addUse(root, use, part);
  }
  return root;
}

/** The fields that a template reads and a context does not have. */
export function lackingInContext(fields: Field<unknown>, context: RenderContext): Lacking {
  const lacking = lackingIn(fields, scopeOf(context));
  if (context.digest) return lacking;
  // A message that is no digest renders its fields as nothing. Nobody can fill them in.
  const isGiven = (path: string) => path !== 'digest' && !path.startsWith('digest.');
  return { needed: lacking.needed.filter(isGiven), optional: lacking.optional.filter(isGiven) };
}
