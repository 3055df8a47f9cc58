import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAYS } from '../../src/platform/field/weekly-range.js';
import type { Day, WeeklyRange } from '../../src/platform/field/weekly-range.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';

// The SQL function first_allowed computes when a message may be sent. It is compared with a model that looks at the clock of the zone minute by
// minute.

const MINUTE = 60_000;
const WEEK_MINUTES = 8 * 24 * 60;

type Quiet = WeeklyRange[];
type Window = WeeklyRange | null;

const range = (from: string, to: string, ...days: Day[]): WeeklyRange => ({
  days: days.length > 0 ? days : [...DAYS],
  from,
  to,
});

class Clock {
  readonly #format: Intl.DateTimeFormat;
  /** What it showed at each minute that was asked for. */
  readonly #shown = new Map<number, [day: number, clock: string]>();

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, hourCycle: 'h23' },
      ...{ weekday: 'short', hour: '2-digit', minute: '2-digit' },
    });
  }

  /** `[1, '09:30']`: Tuesday. */
  at(time: number): [day: number, clock: string] {
    const minute = Math.floor(time / MINUTE);
    const known = this.#shown.get(minute);
    if (known) return known;
    const [weekday, clock] = this.#format.format(time).split(/,? /) as [string, string];
    const shown: [number, string] = [DAYS.indexOf(weekday.toLowerCase() as Day), clock];
    this.#shown.set(minute, shown);
    return shown;
  }
}

const clocks = new Map<string, Clock>();

function clockOf(zone: string): Clock {
  const clock = clocks.get(zone) ?? new Clock(zone);
  clocks.set(zone, clock);
  return clock;
}

function isIn([day, clock]: [number, string], ranges: WeeklyRange[]): boolean {
  return ranges.some(({ days, from, to }) => {
    const [today, yesterday] = [days.includes(DAYS[day]!), days.includes(DAYS[(day + 6) % 7]!)];
    if (from < to) return today && clock >= from && clock < to;
    return (today && clock >= from) || (yesterday && clock < to);
  });
}

function firstAllowed(at: number, zone: string, quiet: Quiet, window: Window): number {
  const clock = clockOf(zone);
  for (let i = 0; i <= WEEK_MINUTES; i++) {
    // A message that is due between two minutes may go at once; a later one goes at the full minute.
    const time = i === 0 ? at : Math.floor(at / MINUTE) * MINUTE + i * MINUTE;
    const now = clock.at(time);
    if (!isIn(now, quiet) && (!window || isIn(now, [window]))) return time;
  }
  return window ? firstAllowed(at, zone, quiet, null) : at;
}

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Case {
  at: string;
  zone: string | null;
  quiet: Quiet | null;
  window: Window;
}

/** Asks PostgreSQL all cases at once. */
async function askAll(cases: Case[]): Promise<string[]> {
  const { rows } = await client.query<{ found: Date }>(
    `select first_allowed(c.at, c.zone, c.quiet, c.send_window) found
     from rows from (jsonb_to_recordset($1::jsonb) as (at timestamptz, zone text, quiet jsonb, send_window jsonb))
       with ordinality c(at, zone, quiet, send_window, place) order by place`,
    [JSON.stringify(cases.map(({ window, ...each }) => ({ ...each, send_window: window })))],
  );
  return rows.map(({ found }) => found.toISOString());
}

const ask = async (each: Case) => (await askAll([each]))[0];

const NIGHT = [range('22:00', '07:00')];
const OFFICE = range('09:00', '17:00', 'mon', 'tue', 'wed', 'thu', 'fri');

/** The days on which the clocks change in 2026, each from some hours before. */
const CHANGES: [zone: string, change: string][] = [
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Europe/Rome', '2026-03-29T01:00:00Z'],
  ['Europe/Rome', '2026-10-25T01:00:00Z'],
  ['Australia/Sydney', '2026-04-04T16:00:00Z'],
  ['Australia/Sydney', '2026-10-03T16:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  // By two hours.
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['Antarctica/Troll', '2026-10-25T01:00:00Z'],
];

/** Quiet hours and windows whose edges lie before, in and after the hour that is left out or repeated. */
const SETTINGS: [Quiet | null, Window][] = [
  [NIGHT, null],
  [[range('00:00', '02:30')], null],
  [[range('01:15', '02:15')], null],
  [[range('01:50', '02:10')], null],
  [[range('02:00', '03:00')], null],
  [[range('02:10', '02:20')], null],
  // The clock goes back out of the quiet hours, or into the window.
  [[range('02:30', '07:00')], null],
  [[range('01:40', '07:00')], null],
  [null, range('00:40', '01:40')],
  [null, range('01:00', '02:20')],
  [[range('01:30', '01:45'), range('02:00', '02:30')], null],
  [[range('01:00', '01:40'), range('02:05', '03:10')], null],
  [[range('23:00', '01:45', 'sat')], null],
  [[range('00:00', '24:00', 'sat', 'sun')], null],
  [null, range('02:15', '02:45')],
  [null, range('01:10', '01:20')],
  [null, range('02:00', '03:00', 'sun')],
  [null, OFFICE],
  [NIGHT, range('06:00', '08:00')],
  [[range('00:00', '02:20')], range('01:30', '02:40')],
  [[range('01:20', '01:50')], range('01:00', '02:00', 'sun')],
];

describe('the first time at which a message may be sent', () => {
  it.each(CHANGES)('is right around the change of the clocks in %s at %s', async (zone, change) => {
    const from = Date.parse(change) - 4 * 3_600_000;
    // A prime step, so that all parts of an hour are met.
    const times = Array.from({ length: 16 }, (_, i) => from + i * 31 * MINUTE + (i % 3) * 20_000);
    const cases = SETTINGS.flatMap(([quiet, window]) =>
      times.map((time): Case => ({ at: new Date(time).toISOString(), zone, quiet, window })),
    );
    const found = await askAll(cases);
    const wrong = cases
      .map((each, i) => ({
        ...each,
        found: found[i],
        wanted: new Date(firstAllowed(Date.parse(each.at), zone, each.quiet ?? [], each.window)).toISOString(),
      }))
      .filter((each) => each.found !== each.wanted);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each<[string, Case, string]>([
    [
      'now without settings',
      { at: '2026-06-01T10:00:30Z', zone: 'UTC', quiet: null, window: null },
      '2026-06-01T10:00:30.000Z',
    ],
    [
      'the end of a night',
      { at: '2026-06-01T23:10:00Z', zone: 'Europe/Rome', quiet: NIGHT, window: null },
      '2026-06-02T05:00:00.000Z',
    ],
    [
      'the end of a night that began yesterday',
      { at: '2026-06-02T04:59:59Z', zone: 'Europe/Rome', quiet: NIGHT, window: null },
      '2026-06-02T05:00:00.000Z',
    ],
    [
      'now at the very end of a night',
      { at: '2026-06-02T05:00:00Z', zone: 'Europe/Rome', quiet: NIGHT, window: null },
      '2026-06-02T05:00:00.000Z',
    ],
    // Saturday has no night of its own, and Friday's ends on Saturday.
    [
      'the end of the night that began on the last of its days',
      { at: '2026-06-06T01:00:00Z', zone: 'UTC', quiet: [range('22:00', '07:00', 'fri')], window: null },
      '2026-06-06T07:00:00.000Z',
    ],
    [
      'midnight after a whole day',
      { at: '2026-06-07T12:00:00Z', zone: 'UTC', quiet: [range('00:00', '24:00', 'sun')], window: null },
      '2026-06-08T00:00:00.000Z',
    ],
    [
      'the next working day',
      { at: '2026-06-05T17:00:00Z', zone: 'UTC', quiet: null, window: OFFICE },
      '2026-06-08T09:00:00.000Z',
    ],
    [
      'the window, outside of quiet hours',
      { at: '2026-06-05T20:00:00Z', zone: 'UTC', quiet: [range('18:00', '10:30')], window: OFFICE },
      '2026-06-08T10:30:00.000Z',
    ],
    [
      'the same day in a week',
      { at: '2026-06-01T09:30:00Z', zone: 'UTC', quiet: null, window: range('09:00', '09:30', 'mon') },
      '2026-06-08T09:00:00.000Z',
    ],
    // The window never opens outside of quiet hours: it yields.
    [
      'the end of quiet hours that hold the whole window',
      { at: '2026-06-01T23:00:00Z', zone: 'UTC', quiet: NIGHT, window: range('23:00', '06:00') },
      '2026-06-02T07:00:00.000Z',
    ],
    [
      'in UTC for a zone that nobody knows',
      { at: '2026-06-01T23:10:00Z', zone: 'Mars/Base', quiet: NIGHT, window: null },
      '2026-06-02T07:00:00.000Z',
    ],
    [
      'in UTC without a zone',
      { at: '2026-06-01T23:10:00Z', zone: null, quiet: NIGHT, window: null },
      '2026-06-02T07:00:00.000Z',
    ],
  ])('is %s', async (_what, each, wanted) => {
    expect(await ask(each)).toBe(wanted);
    const zone = each.zone?.startsWith('Mars/') ? 'UTC' : (each.zone ?? 'UTC');
    const model = firstAllowed(Date.parse(each.at), zone, each.quiet ?? [], each.window);
    expect(new Date(model).toISOString()).toBe(wanted);
  });
});
