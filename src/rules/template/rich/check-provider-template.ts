import type { AddError } from '../../../platform/field/error/field-error.js';
import { refuseUnknown } from '../../../platform/field/error/closest.js';
import { isObject } from '../../../platform/field/is-object.js';
import { PARAMETER_PARTS } from './provider-template.js';

/** What Meta allows: a name of small letters, digits and underscores, and a language such as `de` or `en_US`. */
const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Z]{2,3})?$/;
const PARAMETER = /^[a-z][a-z0-9_]{0,63}$/;

/** Meta allows one in a header and ten buttons; of those in a body it says no number. */
const MOST: Readonly<Record<(typeof PARAMETER_PARTS)[number], number>> = { header: 1, body: 50, buttons: 10 };

const SOURCE_MAX_LENGTH = 5000;

/** The errors of `template` as it is written: a name, a language and the sources of its parameters. */
export function checkProviderTemplate(template: unknown, addError: AddError): void {
  if (!isObject(template))
    return addError('template', 'invalid_type', 'must be an object with name, language and parameters, or null');
  refuseUnknown(template, ['name', 'language', 'parameters'], 'template', addError);
  const { name, language, parameters } = template;
  if (typeof name !== 'string' || !NAME.test(name))
    addError('template.name', 'invalid_format', 'must be the name of a template: small letters, digits and _');
  if (typeof language !== 'string' || !LANGUAGE.test(language))
    addError('template.language', 'invalid_format', 'must be a language of the template, such as de or en_US');
  if (parameters === undefined || parameters === null) return;
  const field = 'template.parameters';
  if (!isObject(parameters))
    return addError(field, 'invalid_type', 'must be an object with header, body and buttons, or null');
  refuseUnknown(parameters, [...PARAMETER_PARTS], field, addError);
  for (const part of PARAMETER_PARTS) checkParameters(parameters[part], part, addError);
  const { header, body } = parameters;
  if (header && body && Array.isArray(header) !== Array.isArray(body))
    addError(field, 'invalid_type', 'must be lists in header and body, or maps in both: a template has one kind');
}

function checkParameters(texts: unknown, part: (typeof PARAMETER_PARTS)[number], addError: AddError): void {
  if (texts === undefined || texts === null) return;
  const field = `template.parameters.${part}`;
  if (part === 'buttons' ? !Array.isArray(texts) : !Array.isArray(texts) && !isObject(texts))
    return addError(field, 'invalid_type', part === 'buttons' ? 'must be a list' : 'must be a list or a map by name');
  const entries: [string, unknown][] = Array.isArray(texts)
    ? (texts as unknown[]).map((text, i) => [`${field}[${i}]`, text])
    : Object.entries(texts).map(([name, text]) => [`${field}.${name}`, text]);
  if (entries.length > MOST[part]) addError(field, 'too_many', `must have at most ${MOST[part]}`);
  const wrong = Array.isArray(texts) ? undefined : Object.keys(texts).find((name) => !PARAMETER.test(name));
  if (wrong !== undefined)
    return addError(
      field,
      'invalid_format',
      `must have names of small letters, digits and _, not ${JSON.stringify(wrong)}`,
    );
  for (const [at, text] of entries) {
    if (part === 'buttons' && text === null) continue;
    if (typeof text !== 'string' || text.trim() === '') addError(at, 'required', 'must be a text');
    else if (text.length > SOURCE_MAX_LENGTH)
      addError(at, 'too_long', `must have at most ${SOURCE_MAX_LENGTH} characters`);
  }
}
