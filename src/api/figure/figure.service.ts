import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Database } from '../../platform/database/database.js';
import { dateTimeProblem } from '../../platform/field/date-time.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import { anyText, oneOf } from '../../platform/http/list/filter.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { invalid } from '../../platform/http/problem.js';
import { OUTCOMES } from '../occurrence/by-message/by-message.js';
import { addUp, without } from './counts.js';
import type { FigureRowDto, FiguresDto } from './figure.dto.js';
import { FIGURE_KEYS, SPAN, isTime, readFigures } from './figure.sql.js';
import type { FigureKey, FigureQuery, FigureRow } from './figure.sql.js';

const path = (parts: number, example: string) => (text: string) =>
  text.split('/').length === parts ? null : fieldError('invalid_format', `must be ${example}`);

export const FIGURE_FILTER = {
  by: oneOf(FIGURE_KEYS),
  since: dateTimeProblem,
  until: dateTimeProblem,
  project: anyText,
  application: path(2, 'project/application, such as shop/web'),
  event: path(3, 'project/application/event, such as shop/web/order-paid'),
  channel: anyText,
  outcome: oneOf(OUTCOMES),
};

type Span = Pick<FigureQuery, 'timeZone' | 'since' | 'until' | 'firstDay' | 'lastDay' | 'firstMonth' | 'lastMonth'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 7;
const MAX_DAYS: Partial<Record<FigureKey, number>> = { hour: 31 };
const MOST_DAYS = 400;

/** Reads what `CountFigures` has counted: a few rows for each day or hour, however many messages there were. */
@Injectable()
export class FigureService {
  constructor(private readonly database: Database) {}

  async get(scope: Scope, filter: Filter<typeof FIGURE_FILTER>): Promise<FiguresDto> {
    const { by, since, until } = spanOf(filter);
    const values = [scope.organizationId, since, until];
    const { rows: spans } = await this.database.query<Span>('span-of-figures', SPAN, values);
    const query = { ...filter, by, ...spans[0]! };
    const { rows } = await this.database.pool.query<FigureRow>(readFigures(scope, query));
    const all = rows.filter(({ isRow }) => !isRow);
    const named = rows.filter(({ isRow }) => isRow);
    return {
      since: query.since.toISOString(),
      until: query.until.toISOString(),
      time_zone: query.timeZone,
      by: query.by,
      total: addUp(all),
      rows: rowsOf(named, query.by),
      rest: addUp(without(all, named)),
    };
  }
}

/** The messages of each name. What was deleted has one row together. */
function rowsOf(counts: FigureRow[], by: FigureKey): FigureRowDto[] {
  const names = new Map<string | null, FigureRow[]>();
  for (const count of counts) names.set(count.name, [...(names.get(count.name) ?? []), count]);
  const rows = [...names].map(([name, its]) => ({ name, ...addUp(its) }));
  return rows.sort((a, b) => (isTime(by) ? (a.name! < b.name! ? -1 : 1) : b.messages - a.messages));
}

function spanOf(filter: Filter<typeof FIGURE_FILTER>): { by: FigureKey; since: Date; until: Date } {
  const by = (filter.by ?? 'day') as FigureKey;
  if (by === 'domain' && filter.event !== null)
    throw wrong('event', 'goes with no domains: they are counted by application');
  const until = filter.until === null ? new Date() : new Date(filter.until);
  const since = filter.since === null ? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(filter.since);
  if (since >= until) throw wrong('since', 'must be before until');
  const days = MAX_DAYS[by] ?? MOST_DAYS;
  if (until.getTime() - since.getTime() > days * DAY_MS)
    throw wrong('since', `must be at most ${days} days before until, by ${by}`);
  return { by, since, until };
}

const wrong = (field: string, text: string) => invalid({ [field]: [fieldError('out_of_range', text)] });
