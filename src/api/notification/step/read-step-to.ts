import { refuseUnknown } from '../../../platform/field/error/closest.js';
import type { AddError } from '../../../platform/field/error/field-error.js';
import { isObject } from '../../../platform/field/is-object.js';
import { checkAudience } from '../../../rules/condition/audience-check.js';

export const MAX_STEP_LISTS = 20;

/** Whom a step means, with names in place of the ids of lists. */
export interface NamedStepTo {
  distribution_lists: string[];
  audience?: Record<string, unknown>;
}

const FIELDS = ['distribution_list', 'distribution_lists', 'audience'];
const SHAPE = 'must be an object such as { "distribution_list": "Managers" }';
const FIRST = 'must be left out of the first step: the notification says whom it means';

/** The users of a step as they are given. The result counts only without an error. */
export function readStepTo(value: unknown, field: string, isFirst: boolean, addError: AddError): NamedStepTo {
  const nobody = { distribution_lists: [] };
  if (isFirst) addError(field, 'not_allowed', FIRST);
  if (!isObject(value)) {
    addError(field, 'invalid_type', SHAPE);
    return nobody;
  }
  refuseUnknown(value, FIELDS, field, addError);
  const { distribution_list: list, distribution_lists: lists = [], audience } = value;
  const isName = (name: unknown) => typeof name === 'string' && name.trim() !== '';
  if (list !== undefined && !isName(list))
    addError(`${field}.distribution_list`, 'invalid_type', 'must be the name of a list');
  if (!Array.isArray(lists) || !lists.every(isName) || lists.length > MAX_STEP_LISTS) {
    addError(
      `${field}.distribution_lists`,
      'invalid_type',
      `must be a list of at most ${MAX_STEP_LISTS} names of lists`,
    );
    return nobody;
  }
  for (const sentence of audience ? checkAudience(audience, `${field}.audience`) : []) {
    const [place = '', ...words] = sentence.split(': ');
    addError(place, 'invalid_condition', words.join(': '));
  }
  const all = [...(list === undefined ? [] : [list]), ...lists] as string[];
  if (all.length === 0 && !audience) addError(field, 'required', 'must name a list, or have an audience');
  return { distribution_lists: [...new Set(all)], ...(isObject(audience) && { audience }) };
}
