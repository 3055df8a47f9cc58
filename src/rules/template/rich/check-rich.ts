import { addTo } from '../../../platform/field/error/field-error.js';
import type { AddError, FieldErrors } from '../../../platform/field/error/field-error.js';
import { refuseUnknown } from '../../../platform/field/error/closest.js';
import { isObject } from '../../../platform/field/is-object.js';
import { checkProviderTemplate } from './check-provider-template.js';
import { IMAGE_URL, LINK_URL, urlSourceProblem } from './message-url.js';
import { MAX_ACTIONS, MAX_DATA_BYTES } from './rich.js';

/** The longest source of a label. */
const LABEL_SOURCE_MAX_LENGTH = 500;

/** How deep `data` may be nested, and how many values it may hold: each text is a template. */
const MAX_DATA_DEPTH = 5;
const MAX_DATA_VALUES = 100;

/** The errors of url, image, actions, data and template as they are written: over HTTP and in files. */
export function checkRich({ url, image, actions, data, template }: Record<string, unknown>): FieldErrors {
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  checkUrl(url, 'url', LINK_URL, addError);
  checkUrl(image, 'image', IMAGE_URL, addError);
  if (isGiven(actions)) checkActions(actions, addError);
  if (isGiven(data)) checkData(data, addError);
  if (isGiven(template)) checkProviderTemplate(template, addError);
  return errors;
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

function checkUrl(source: unknown, field: string, kind: typeof LINK_URL, addError: AddError): void {
  if (!isGiven(source)) return;
  if (typeof source !== 'string') return addError(field, 'invalid_type', 'must be a string or null');
  const problem = source.trim() === '' ? null : urlSourceProblem(source, kind);
  if (problem !== null) addError(field, 'invalid_format', problem);
}

function checkActions(actions: unknown, addError: AddError): void {
  if (!Array.isArray(actions)) return addError('actions', 'invalid_type', 'must be a list or null');
  if (actions.length > MAX_ACTIONS)
    return addError('actions', 'too_many', `must be at most ${MAX_ACTIONS}: each is a button`);
  for (const [i, action] of (actions as unknown[]).entries()) {
    const field = `actions[${i}]`;
    if (!isObject(action)) {
      addError(field, 'invalid_type', 'must be an object with label and url');
      continue;
    }
    refuseUnknown(action, ['label', 'url'], field, addError);
    for (const part of ['label', 'url'] as const)
      if (typeof action[part] !== 'string' || action[part].trim() === '')
        addError(`${field}.${part}`, 'required', 'must be a text');
    if (typeof action.label === 'string' && action.label.length > LABEL_SOURCE_MAX_LENGTH)
      addError(`${field}.label`, 'too_long', `must have at most ${LABEL_SOURCE_MAX_LENGTH} characters`);
    if (typeof action.url === 'string' && action.url.trim() !== '')
      checkUrl(action.url, `${field}.url`, LINK_URL, addError);
  }
}

function checkData(data: unknown, addError: AddError): void {
  if (!isObject(data)) return addError('data', 'invalid_type', 'must be an object or null');
  if (isDeeper(data, MAX_DATA_DEPTH))
    return addError('data', 'too_large', `must be nested at most ${MAX_DATA_DEPTH} levels deep`);
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES)
    return addError('data', 'too_large', `must have at most ${MAX_DATA_BYTES} bytes as JSON`);
  const { values, wrongKey } = contentOf(data);
  if (values > MAX_DATA_VALUES) addError('data', 'too_many', `must hold at most ${MAX_DATA_VALUES} values`);
  if (wrongKey !== undefined)
    addError(
      'data',
      'invalid_format',
      `must have keys of letters, digits, _ and - only, not ${JSON.stringify(wrongKey)}`,
    );
}

const innerOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || innerOf(value).some((each) => isDeeper(each, levels - 1)));

/** How many values an object holds, and the first key that would make the names of its texts ambiguous. */
function contentOf(value: unknown): { values: number; wrongKey: string | undefined } {
  const inner = innerOf(value).map(contentOf);
  const own = isObject(value) ? Object.keys(value).find((key) => !/^[\w-]{1,64}$/.test(key)) : undefined;
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1),
    wrongKey: own ?? inner.find(({ wrongKey }) => wrongKey !== undefined)?.wrongKey,
  };
}
