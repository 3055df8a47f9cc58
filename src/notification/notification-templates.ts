import { isObject } from '../field/is-object.js';
import { invalid } from '../http/problem.js';
import type { FieldErrors } from '../http/problem.js';
import { TEMPLATE_PARTS, checkTemplate } from '../template/template.js';
import type { TemplateParts } from '../template/template.js';

export interface TemplateFields extends TemplateParts {
  /** Slug of a channel of the project or the organization. */
  channel: string;
}

/** How errors and plans name a template or one part of it, over HTTP and in files: by its channel, which no other has. */
export const templateField = (channel: string, part?: string) =>
  ['templates', channel, ...(part === undefined ? [] : [part])].join('.');

/** The templates of an HTTP body, with the right shape: class-validator's pipe looks at the first level only. */
export function readTemplates(templates: readonly unknown[]): TemplateFields[] {
  const errors: FieldErrors = {};
  if (templates.length === 0) errors.templates = ['must hold at least one'];
  for (const [i, template] of templates.entries()) {
    if (!isObject(template)) {
      errors[`templates[${i}]`] = ['must be an object'];
      continue;
    }
    const { channel, ...parts } = template;
    if (typeof channel !== 'string' || channel === '') {
      errors[`templates[${i}].channel`] = ['must be the slug of a channel'];
      continue;
    }
    for (const [part, text] of Object.entries(parts)) {
      if (!(TEMPLATE_PARTS as readonly string[]).includes(part))
        errors[templateField(channel, part)] = ['is not a known field'];
      else if (text !== null && typeof text !== 'string')
        errors[templateField(channel, part)] = ['must be a text or null'];
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return templates as TemplateFields[];
}

/** What is wrong with the templates of a notification, whichever way they came. */
export function checkTemplates(templates: readonly TemplateFields[]): FieldErrors {
  const errors: FieldErrors = {};
  const say = (field: string, sentence: string) => (errors[field] ??= []).push(sentence);
  const seen = new Set<string>();
  for (const { channel, ...parts } of templates) {
    if (seen.has(channel)) say(templateField(channel), 'is named twice');
    seen.add(channel);
    if (!parts.text && !parts.html && !parts.markdown)
      say(templateField(channel), 'has neither text, html nor markdown');
    for (const [part, sentences] of Object.entries(checkTemplate(parts)))
      for (const sentence of sentences ?? []) say(templateField(channel, part), sentence);
  }
  return errors;
}
