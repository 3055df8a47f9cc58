import type { Scalar } from '../rows/line';
import type { Condition, Row } from './row';

/** Between the name of a list and a field of its items: `items[].price`. */
export const ITEMS = '[].';

/**
 * A condition as JMESPath. A field that is missing or of another type makes a row false, or its opposite true: it never fails. A function
 * would fail on it, and therefore stands behind a test of its type.
 */
export function writeCondition({ join, rows }: Condition): string | null {
  return rows.length === 0 ? null : rows.map(writeRow).join(join === 'all' ? ' && ' : ' || ');
}

const SIGNS = { equal: '==', unequal: '!=', above: '>', at_least: '>=', below: '<', at_most: '<=' } as const;

function writeRow(row: Row): string {
  const field = writeField(row.field);
  switch (row.is) {
    case 'filled':
      return field;
    case 'empty':
      // Without brackets, `!a.b` would be the field b of `!a`.
      return `!(${field})`;
    case 'yes':
    case 'no':
      return `${field} == \`${row.is === 'yes'}\``;
    case 'one_of':
    case 'none_of':
      return `${row.is === 'none_of' ? '!' : ''}contains(${inBackticks(row.value)}, ${field})`;
    case 'has':
    case 'lacks':
      return `${row.is === 'lacks' ? '!' : ''}contains(to_array(${field}), ${writeValue(row.value)})`;
    case 'contains':
    case 'starts':
    case 'ends':
      return guarded(
        field,
        `${row.is === 'contains' ? 'contains' : `${row.is}_with`}(${field}, ${writeValue(row.value)})`,
      );
    case 'from':
    case 'before':
      // JMESPath orders no texts, but max() does.
      return guarded(field, `max([${field}, ${writeValue(row.value)}]) ${row.is === 'from' ? '==' : '!='} ${field}`);
    default:
      return `${field} ${SIGNS[row.is]} ${writeValue(row.value)}`;
  }
}

const guarded = (field: string, test: string) => `(type(${field}) == 'string' && ${test})`;

function writeValue(value: Scalar): string {
  const isPlain = typeof value === 'string' && /^[^'\\\p{C}]*$/u.test(value);
  return isPlain ? `'${value}'` : inBackticks(value);
}

const inBackticks = (value: Scalar | Scalar[]) => `\`${JSON.stringify(value).replaceAll('`', String.raw`\u0060`)}\``;

/** `order.total`, of the items of a list `items[].price`; names with other characters in quotes. */
const writeField = (field: string) => field.split(ITEMS).map(writePath).join(ITEMS);
const writePath = (path: string) => path.split('.').map(writeName).join('.');
const writeName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
