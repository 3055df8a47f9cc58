import { addTo } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { Condition } from './audience.js';

/** Limits: nesting of filters, number of filters in all, values in an `in`. */
const AUDIENCE_MAX_DEPTH = 8;
const AUDIENCE_MAX_FILTERS = 100;
const AUDIENCE_MAX_VALUES = 1_000;
const MAX_TEXT = 1_000;
const MAX_KEYS = 8;

const FIELDS = ['email', 'first_name', 'last_name'];
const KINDS: Record<keyof Condition, string> = {
  is: 'a text, a number, true or false',
  in: `a list of 1 to ${AUDIENCE_MAX_VALUES} texts, numbers, true or false`,
  exists: 'true or false',
  contains: 'a text, a number, true or false',
  starts_with: 'a text',
  ends_with: 'a text',
  gt: 'a number',
  gte: 'a number',
  lt: 'a number',
  lte: 'a number',
};
const OPERATORS = Object.keys(KINDS) as (keyof Condition)[];
const ON_TEXT = OPERATORS.slice(0, 6);

/** Checks an audience. Returns the problems, each with its place: `audience.all[1].field: ...`. */
export function checkAudience(audience: unknown, place = 'audience'): string[] {
  const seen = { problems: [] as string[], filters: 0 };
  check(audience, place, 1, seen);
  return seen.problems;
}

/** The same as the errors of the fields of a request. */
export function audienceErrors(audience: unknown): FieldErrors {
  const errors: FieldErrors = {};
  for (const problem of checkAudience(audience)) {
    const [place = '', ...words] = problem.split(': ');
    addTo(errors)(place, 'invalid_condition', words.join(': '));
  }
  return errors;
}

interface Seen {
  problems: string[];
  filters: number;
}

function check(filter: unknown, place: string, depth: number, seen: Seen): void {
  const say = (problem: string, at = place): void => void seen.problems.push(`${at}: ${problem}`);
  seen.filters += 1;
  if (seen.filters > AUDIENCE_MAX_FILTERS) {
    if (seen.filters === AUDIENCE_MAX_FILTERS + 1) say(`There are more than ${AUDIENCE_MAX_FILTERS} filters.`);
    return;
  }
  if (depth > AUDIENCE_MAX_DEPTH) return say(`Filters nest deeper than ${AUDIENCE_MAX_DEPTH}.`);
  if (!isObject(filter)) return say('This is not an object.');
  const subjects = ['all', 'any', 'not', 'field', 'address'].filter((name) => Object.hasOwn(filter, name));
  const [subject] = subjects;
  if (subject === undefined || subjects.length > 1) return say('Give one of all, any, not, field and address.');
  if (subject === 'field' || subject === 'address') return checkLeaf(filter, subject, say, place);
  const other = Object.keys(filter).find((name) => name !== subject);
  if (other) return say(`Unknown key ${other}.`);
  if (subject === 'not') return check(filter.not, `${place}.not`, depth + 1, seen);
  const parts = filter[subject];
  if (!Array.isArray(parts) || parts.length === 0) return say('This is not a list of filters.', `${place}.${subject}`);
  parts.forEach((part, index) => check(part, `${place}.${subject}[${index}]`, depth + 1, seen));
}

type Say = (problem: string, at?: string) => void;

function checkLeaf(filter: Record<string, unknown>, subject: 'field' | 'address', say: Say, place: string): void {
  const name = filter[subject];
  const custom = subject === 'field' && isText(name) && name.startsWith('custom_fields.');
  const problem = subject === 'field' ? fieldProblem(name) : isText(name) && name !== '' ? null : 'This is not a text.';
  if (problem) say(problem, `${place}.${subject}`);
  const operators = Object.keys(filter).filter((key) => key !== subject);
  if (operators.length > 1) return say('Give one operator only.');
  const [operator] = operators;
  if (operator === undefined) return subject === 'field' ? say('Give an operator.') : undefined;
  const known: string[] = custom ? OPERATORS : ON_TEXT;
  if (!known.includes(operator)) return say(`Unknown operator ${operator}; there are ${known.join(', ')}.`);
  const key = operator as keyof Condition;
  if (!isValue(key, filter[key], custom)) {
    say(
      custom || key === 'exists'
        ? `This is not ${KINDS[key]}.`
        : `This is not ${key === 'in' ? `a list of 1 to ${AUDIENCE_MAX_VALUES} texts` : 'a text'}.`,
      `${place}.${key}`,
    );
  }
}

function fieldProblem(field: unknown): string | null {
  if (!isText(field)) return 'This is not a text.';
  if (FIELDS.includes(field)) return null;
  const [first, ...keys] = field.split('.');
  if (first !== 'custom_fields' || keys.length === 0) {
    return `Unknown field; there are ${FIELDS.join(', ')} and custom_fields.*.`;
  }
  return keys.length > MAX_KEYS || keys.includes('') ? `A path has 1 to ${MAX_KEYS} keys, none of them empty.` : null;
}

function isValue(operator: keyof Condition, value: unknown, custom: boolean): boolean {
  const scalar = (item: unknown): boolean => isText(item) || (custom && (isNumber(item) || typeof item === 'boolean'));
  switch (operator) {
    case 'is':
    case 'contains':
      return scalar(value);
    case 'in':
      return Array.isArray(value) && value.length > 0 && value.length <= AUDIENCE_MAX_VALUES && value.every(scalar);
    case 'exists':
      return typeof value === 'boolean';
    case 'starts_with':
    case 'ends_with':
      return isText(value);
    default:
      return isNumber(value);
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A text that PostgreSQL can store: without NUL and lone surrogates. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && lengthOf(value) <= MAX_TEXT && !/\0|\p{Surrogate}/u.test(value);
}
