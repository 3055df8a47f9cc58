import { unknownField } from '../../platform/field/error/closest.js';
import { isObject } from '../../platform/field/is-object.js';
import { Per } from '../../platform/database/generated/prisma/enums.js';
import { invalid } from '../../platform/http/problem.js';
import { addAll, addTo, within, fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { checkTemplateSender } from '../../rules/ruleset/template-mode.js';
import { checkRich } from '../../rules/template/rich/check-rich.js';
import { RICH_PARTS } from '../../rules/template/rich/rich.js';
import { HTML_PARTS, TEMPLATE_PARTS } from '../../rules/template/template.js';
import type { TranslatedParts } from '../../rules/template/template.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';
import { readTranslations } from './read-translations.js';

export interface TemplateFields extends Omit<TranslatedParts, 'shared' | 'lang'> {
  /** Slug of a channel of the project or the organization. */
  channel: string;
  /** Left out: `room` if the channel is a room. */
  per?: Per;
}

/** The name of a template, or of one part of it, in errors and plans. A notification has one template for each channel. */
export const templateField = (channel: string, part?: string) =>
  ['templates', channel, ...(part === undefined ? [] : [part])].join('.');

const FIELDS = ['channel', 'per', 'layout', 'translations', ...TEMPLATE_PARTS];

/** Checks the shape of the templates in an HTTP body: class-validator's pipe checks the first level only. */
export function readTemplates(templates: readonly unknown[]): TemplateFields[] {
  const errors: FieldErrors = {};
  if (templates.length === 0) errors.templates = [fieldError('required', 'must hold at least one template')];
  for (const [i, template] of templates.entries()) {
    if (!isObject(template)) {
      errors[`templates[${i}]`] = [fieldError('invalid_type', 'must be an object')];
      continue;
    }
    const { channel, per, layout, translations, ...parts } = template;
    if (typeof channel !== 'string' || channel === '') {
      errors[`templates[${i}].channel`] = [fieldError('required', 'must be the slug of a channel')];
      continue;
    }
    if (per !== undefined && !Object.values(Per).some((each) => each === per))
      errors[templateField(channel, 'per')] = [
        fieldError('unknown_value', `must be one of ${Object.values(Per).join(', ')}`),
      ];
    const read = readTranslations(translations);
    if ('errors' in read) Object.assign(errors, within(templateField(channel), read.errors));
    if (layout !== undefined && layout !== null && typeof layout !== 'string')
      errors[templateField(channel, 'layout')] = [fieldError('invalid_type', 'must be the slug of a layout or null')];
    Object.assign(errors, within(templateField(channel), checkRich(parts)));
    for (const [part, text] of Object.entries(parts)) {
      if ((RICH_PARTS as readonly string[]).includes(part)) continue;
      if (!(TEMPLATE_PARTS as readonly string[]).includes(part))
        errors[templateField(channel, part)] = [unknownField(part, FIELDS)];
      else if (part === 'headers' && isObject(text))
        Object.assign(errors, within(templateField(channel, 'headers'), headerErrors(text)));
      else if (part === 'headers' && text !== null)
        errors[templateField(channel, part)] = [fieldError('invalid_type', 'must be an object or null')];
      else if (text !== null && typeof text !== 'string')
        errors[templateField(channel, part)] = [fieldError('invalid_type', 'must be a string or null')];
    }
  }
  if (hasErrors(errors)) throw invalid(errors);
  return templates as TemplateFields[];
}

/** The headers whose values are no strings. */
export function headerErrors(headers: Record<string, unknown> = {}): FieldErrors {
  const wrong = Object.entries(headers).filter(([, value]) => typeof value !== 'string');
  return Object.fromEntries(wrong.map(([name]) => [name, [fieldError('invalid_type', 'must be a string')]]));
}

/** Tells about a template of the notification, or about a layout or partial of the same file. */
export type Inspect = (template: TranslatedParts) => TemplateReport;

/** The errors of a notification's templates, from HTTP and from files. */
export function checkTemplates(templates: readonly TemplateFields[], inspect: Inspect): FieldErrors {
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  const seen = new Set<string>();
  for (const template of templates) {
    const { channel, text } = template;
    if (seen.has(channel))
      addError(templateField(channel), 'duplicate', 'is listed twice: use one template for each channel');
    seen.add(channel);
    if (!text && !template.template && HTML_PARTS.every((part) => !template[part]))
      addError(templateField(channel), 'required', 'needs text, html, markdown or mjml');
    for (const [part, sentences] of Object.entries(inspect(template).problems))
      for (const sentence of sentences ?? []) addError(templateField(channel, part), 'invalid_template', sentence);
    addAll(checkTemplateSender(template), `${templateField(channel)}.`, addError);
    addAll(checkRich({ ...template }), `${templateField(channel)}.`, addError);
    const translations = readTranslations(template.translations);
    if ('errors' in translations) addAll(translations.errors, `${templateField(channel)}.`, addError);
  }
  return errors;
}
