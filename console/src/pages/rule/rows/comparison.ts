/** What a field holds. A date is a text such as `2026-12-01T08:05:00Z`. */
export type Kind = 'text' | 'number' | 'date' | 'boolean' | 'list';

export type Comparison =
  | 'above'
  | 'at_least'
  | 'below'
  | 'at_most'
  | 'equal'
  | 'unequal'
  | 'one_of'
  | 'none_of'
  | 'contains'
  | 'starts'
  | 'ends'
  | 'from'
  | 'before'
  | 'yes'
  | 'no'
  | 'has'
  | 'lacks'
  | 'filled'
  | 'empty';

/** The comparisons of each kind of field, in the order in which they are offered. */
export type Comparisons = Readonly<Record<Kind | 'any', readonly Comparison[]>>;

/** How many values a comparison has. */
export function arityOf(is: Comparison): 'none' | 'one' | 'many' {
  if (is === 'one_of' || is === 'none_of') return 'many';
  return ['yes', 'no', 'filled', 'empty'].includes(is) ? 'none' : 'one';
}
