import { text } from '../../../text/text';
import type { Line } from '../rows/line';
import { readAudience } from './group';
import type { Group } from './group';
import { isFilter } from './row';

const { join: who, joins } = text.rule.audiences;

/** An audience in words, or as JSON where rows cannot say it. */
export function sayAudience(audience: unknown): string {
  const rows = isFilter(audience) ? readAudience(audience) : null;
  if (!rows) return JSON.stringify(audience, null, 2);
  const isOne = rows.lines.length === 1 && rows.groups.length === 0 && rows.join !== 'none';
  return [
    ...(isOne ? [] : [headOf(rows)]),
    ...rows.lines.map(sayLine),
    ...rows.groups.flatMap((group) => [headOf(group), ...group.lines.map((line) => `  ${sayLine(line)}`)]),
  ].join('\n');
}

const headOf = ({ join }: Pick<Group, 'join'>) => `${who} ${joins[join]}:`;

const sayLine = ({ field, is, values }: Line) =>
  [field, text.rule.rows.comparisons[is], values.join(', ')].filter(Boolean).join(' ');
