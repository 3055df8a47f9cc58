import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';

// The SQL function local_instant computes when a clock shows a time. It is compared with a model that looks at the clock of the zone minute by minute.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What the clock of a zone shows, as a time of UTC. */
function shownBy(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
}

/** The first minute at which the clock shows the time or, if it never does, a later one. */
function firstInstant(local: number, zone: string): number {
  const shown = shownBy(zone);
  for (let at = local - 15 * HOUR; ; at += MINUTE) if (shown(at) >= local) return at;
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

const instantOf = async (local: string, zone: string) => {
  const { rows } = await client.query<{ at: Date | null }>('select local_instant($1, $2) at', [local, zone]);
  return rows[0]!.at?.toISOString() ?? null;
};

it.each([
  ['an ordinary time', '2026-12-01T09:00', 'Europe/Rome', '2026-12-01T08:00:00.000Z'],
  [
    'a time that never comes: the first instant after the gap',
    '2026-03-29T02:30',
    'Europe/Rome',
    '2026-03-29T01:00:00.000Z',
  ],
  ['a time that comes twice: the first', '2026-10-25T02:30', 'Europe/Rome', '2026-10-25T00:30:00.000Z'],
  ['a gap of half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
  ['a day that was left out', '2011-12-30T09:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['a zone that is not known counts as UTC', '2026-12-01T09:00', 'Mars/Olympus', '2026-12-01T09:00:00.000Z'],
])('finds %s', async (_, local, zone, at) => {
  expect(await instantOf(local, zone)).toBe(at);
});

it('agrees with the clock around every change of 2026 and on ordinary days', async () => {
  const changes: [zone: string, day: string][] = [
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Europe/Rome', '2026-03-29'],
    ['Europe/Rome', '2026-10-25'],
    ['Australia/Sydney', '2026-04-05'],
    ['Australia/Sydney', '2026-10-04'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Antarctica/Troll', '2026-03-29'],
    ['Antarctica/Troll', '2026-10-25'],
    ['Asia/Kolkata', '2026-06-01'],
    ['Pacific/Kiritimati', '2026-06-01'],
  ];
  for (const [zone, day] of changes)
    for (let minute = 0; minute < 300; minute += 10) {
      const local = Date.parse(`${day}T00:00Z`) + minute * MINUTE;
      const text = new Date(local).toISOString().slice(0, 16);
      const expected = new Date(firstInstant(local, zone)).toISOString();
      expect([zone, text, await instantOf(text, zone)]).toEqual([zone, text, expected]);
    }
});
