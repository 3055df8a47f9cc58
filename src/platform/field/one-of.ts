import { IsIn } from 'class-validator';
import { closest } from './error/closest.js';

/** One of these texts; with `each`, every item of a list. The sentence names them all, and the nearest to a wrong one. */
export const IsOneOf = (values: readonly string[], { each = false } = {}): PropertyDecorator =>
  IsIn(values, {
    each,
    message: ({ value }) => {
      const wrong = [value as unknown].flat().find((item): item is string => isUnknown(item, values));
      const meant = wrong === undefined ? null : closest(wrong, values);
      const question = meant === null ? '' : `: did you mean ${meant}?`;
      return `must ${each ? 'each ' : ''}be one of ${values.join(', ')}${question}`;
    },
  });

/** Long texts are no typing mistakes, and would take long to compare. */
const isUnknown = (item: unknown, values: readonly string[]) =>
  typeof item === 'string' && item.length <= 50 && !values.includes(item);
