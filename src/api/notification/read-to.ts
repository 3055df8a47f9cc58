import { refuseUnknown } from '../../platform/field/error/closest.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { checkWhen } from '../../platform/field/expression/when.js';
import type { RuleTo } from '../../rules/ruleset/rule.js';

/** Whom a notification means, as it is given. Undefined: unchanged; null: its lists and audience. The result counts only without an error. */
export function readTo(value: unknown, addError: AddError): RuleTo | null | undefined {
  if (value === undefined || value === null || value === 'recipients' || value === 'told') return value;
  if (!isObject(value)) {
    addError(
      'to',
      'invalid_type',
      'must be "recipients", "told", or an object such as { "context": "customer.email" }',
    );
    return null;
  }
  refuseUnknown(value, ['context'], 'to', addError);
  const { context } = value;
  const problem = typeof context === 'string' ? checkWhen(context) : 'must be a JMESPath expression over the context';
  if (problem) addError('to.context', 'invalid_condition', problem);
  return { context: context as string };
}
