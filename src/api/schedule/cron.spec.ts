import { describe, expect, it } from '@jest/globals';
import { cronProblem, dueSlots, nextSlots } from './cron.js';

const iso = (dates: Date[]) => dates.map((date) => date.toISOString());
const at = (text: string) => new Date(text);

describe('a cron expression', () => {
  it.each(['0 9 * * mon', '*/15 8-18 * * 1-5', '0 9 1 jan *', '0 0 L * *', '* * * * *'])('may be %s', (cron) => {
    expect(cronProblem(cron)).toBeNull();
  });

  it.each([
    ['0 0 9 * * mon', 'must have five fields'],
    ['@daily', 'must have five fields'],
    ['2026-12-01T09:00:00', 'must have five fields'],
    ['60 * * * *', 'invalid value for minute'],
    ['0 9 * * someday', 'must have five fields'],
    ['0 0 30 2 *', 'never comes'],
    ['', 'must have five fields'],
    [9, 'must have five fields'],
    ['? * * * *', 'must have five fields'],
  ])('may not be %j', (cron, problem) => {
    expect(cronProblem(cron)?.sentence).toContain(problem);
  });

  it('goes by the clock of its zone when clocks change', () => {
    expect(iso(nextSlots('30 2 * * *', 'Europe/Rome', at('2026-03-28T12:00:00Z'), 2))).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(iso(nextSlots('30 2 * * *', 'Europe/Rome', at('2026-10-24T12:00:00Z'), 2))).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(iso(nextSlots('0 9 * * mon', 'Europe/Rome', at('2026-10-18T12:00:00Z'), 2))).toEqual([
      '2026-10-19T07:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
    ]);
  });
});

describe('the slots that have come', () => {
  const due = (cron: string, planned: string, now: string) => {
    const { run, missed, next } = dueSlots(cron, 'UTC', at(planned), at(now));
    return { run: run?.toISOString() ?? null, missed: iso(missed), next: next?.toISOString() ?? null };
  };

  it('are one: it runs', () => {
    expect(due('0 * * * *', '2026-05-01T09:00:00Z', '2026-05-01T09:00:01Z')).toEqual({
      ...{ run: '2026-05-01T09:00:00.000Z', missed: [], next: '2026-05-01T10:00:00.000Z' },
    });
  });

  it('are several: only the latest runs', () => {
    expect(due('*/20 * * * *', '2026-05-01T09:00:00Z', '2026-05-01T09:50:00Z')).toEqual({
      run: '2026-05-01T09:40:00.000Z',
      missed: ['2026-05-01T09:00:00.000Z', '2026-05-01T09:20:00.000Z'],
      next: '2026-05-01T10:00:00.000Z',
    });
  });

  it('are an hour old: none runs', () => {
    expect(due('0 9 * * *', '2026-05-01T09:00:00Z', '2026-05-01T10:00:00Z')).toEqual({
      ...{ run: null, missed: ['2026-05-01T09:00:00.000Z'], next: '2026-05-02T09:00:00.000Z' },
    });
    expect(due('0 9 * * *', '2026-05-01T09:00:00Z', '2026-05-01T09:59:59Z').run).toBe('2026-05-01T09:00:00.000Z');
  });

  it('came during a year: the history names the first, and the latest of this hour runs', () => {
    expect(due('0 * * * *', '2025-05-01T09:00:00Z', '2026-05-01T09:30:00Z')).toEqual({
      run: '2026-05-01T09:00:00.000Z',
      missed: ['2025-05-01T09:00:00.000Z'],
      next: '2026-05-01T10:00:00.000Z',
    });
  });
});
