import type { Line } from '../rows/line';
import { filterOf, isFilter, lineOf } from './row';
import type { Filter } from './row';

/** How rows are joined: all of them, at least one, or none of them. */
export type Join = 'all' | 'any' | 'none';

export interface Group {
  join: Join;
  lines: Line[];
}

/** Rows, and groups of rows one level deep. */
export interface AudienceRows extends Group {
  groups: Group[];
}

export const NO_ROWS: AudienceRows = { join: 'all', lines: [], groups: [] };

/** Rows as a filter, without those that are unfinished; null: there are none. */
export function writeAudience({ join, lines, groups }: AudienceRows): Filter | null {
  const filters = filtersOf(lines);
  const inner = groups.flatMap((group) => {
    const parts = filtersOf(group.lines);
    return parts.length > 0 ? [joined(group.join, parts)] : [];
  });
  const parts = [...filters, ...inner];
  if (parts.length === 0) return null;
  return parts.length === 1 && filters.length === 1 && join !== 'none' ? filters[0]! : joined(join, parts);
}

const filtersOf = (lines: Line[]): Filter[] => lines.map(filterOf).filter((filter) => filter !== null);

const joined = (join: Join, parts: Filter[]): Filter => (join === 'none' ? { not: { any: parts } } : { [join]: parts });

/** Reads what `writeAudience` writes; null: rows cannot say it. */
export function readAudience(filter: Filter | null): AudienceRows | null {
  if (filter === null) return NO_ROWS;
  const only = lineOf(filter);
  if (only) return { ...NO_ROWS, lines: [only] };
  const read = partsOf(filter);
  if (!read) return null;
  const rows: AudienceRows = { join: read.join, lines: [], groups: [] };
  for (const part of read.parts) {
    const line = lineOf(part);
    const group = line ? null : groupOf(part);
    if (line) rows.lines.push(line);
    else if (group) rows.groups.push(group);
    else return null;
  }
  return rows;
}

function groupOf(filter: Filter): Group | null {
  const read = partsOf(filter);
  const lines = read?.parts.map(lineOf);
  return read && lines?.every((line) => line !== null) ? { join: read.join, lines } : null;
}

function partsOf(filter: Filter): { join: Join; parts: Filter[] } | null {
  const isNone = 'not' in filter && isFilter(filter.not) && 'any' in filter.not;
  const [join, given] = Object.entries(isNone ? (filter.not as Filter) : filter)[0] ?? [];
  if ((join !== 'all' && join !== 'any') || !Array.isArray(given)) return null;
  const parts = given.filter(isFilter);
  return parts.length === given.length ? { join: isNone ? 'none' : join, parts } : null;
}
