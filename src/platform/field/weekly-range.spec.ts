import { describe, expect, it } from '@jest/globals';
import { DAYS, readQuietHours, readRange } from './weekly-range.js';

function read<Result>(reader: (value: unknown, field: string, addError: never) => Result, value: unknown) {
  const errors: Record<string, string> = {};
  const addError = (field: string, _code: string, sentence: string) => (errors[field] = sentence);
  const result = reader(value, 'x', addError as never);
  return { result, errors };
}

describe('a weekly range', () => {
  it.each([
    [
      { from: '22:00', to: '07:00' },
      { days: [...DAYS], from: '22:00', to: '07:00' },
    ],
    [
      { days: ['fri', 'mon', 'fri'], from: '00:00', to: '24:00' },
      { days: ['mon', 'fri'], from: '00:00', to: '24:00' },
    ],
    [
      { days: ['sun'], from: '23:59', to: '00:00' },
      { days: ['sun'], from: '23:59', to: '00:00' },
    ],
  ])('is stored with its days in the order of the week', (given, stored) => {
    expect(read(readRange, given)).toEqual({ result: stored, errors: {} });
  });

  const TIME = 'must be a time such as 09:30';
  it.each<[unknown, Record<string, string>]>([
    ['22:00-07:00', { x: 'must be an object such as { "from": "22:00", "to": "07:00" }' }],
    [null, { x: 'must be an object such as { "from": "22:00", "to": "07:00" }' }],
    [{ to: '07:00' }, { 'x.from': TIME }],
    [
      { from: '9:00', to: '17:00:00' },
      { 'x.from': TIME, 'x.to': `${TIME}, or 24:00` },
    ],
    [
      { from: '24:00', to: '24:01' },
      { 'x.from': TIME, 'x.to': `${TIME}, or 24:00` },
    ],
    [{ from: 9, to: '17:00' }, { 'x.from': TIME }],
    [
      { from: '09:00', to: '09:00' },
      { 'x.to': 'must not be the time at which it begins: for a whole day use 00:00 to 24:00' },
    ],
    [
      { from: '09:00', to: '17:00', day: ['mon'] },
      { 'x.day': 'is not a known field: did you mean days? Known: days, from, to' },
    ],
    ...[[], 'mon', ['Monday'], ['mon', 1], null].map((days): [unknown, Record<string, string>] => [
      { days, from: '09:00', to: '17:00' },
      { 'x.days': 'must be a list of days: mon, tue, wed, thu, fri, sat, sun. Leave it out for every day' },
    ]),
  ])('%j is refused', (given, errors) => {
    expect(read(readRange, given).errors).toEqual(errors);
  });
});

describe('quiet hours', () => {
  const NOTHING_FREE = 'must leave at least one hour of the week free: otherwise nothing could ever be sent';
  const weekdays = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '00:00', to: '24:00' };

  it.each([
    [[]],
    [[{ from: '22:00', to: '07:00' }]],
    [[{ from: '01:00', to: '00:51' }]],
    [[weekdays, { days: ['sun'], from: '00:00', to: '23:00' }]],
    [[weekdays, { days: ['sun'], from: '01:00', to: '24:00' }]],
    [Array.from({ length: 20 }, () => ({ from: '22:00', to: '07:00' }))],
  ])('%j leave some time free', (ranges) => {
    expect(read(readQuietHours, ranges).errors).toEqual({});
  });

  it.each([
    [[{ from: '00:00', to: '24:00' }]],
    [[weekdays, { days: ['sun'], from: '00:00', to: '23:01' }]],
    // The last one crosses into Monday.
    [
      [
        { ...weekdays, from: '06:00', to: '00:00' },
        { ...weekdays, from: '00:00', to: '06:00' },
        { days: ['sun'], from: '00:01', to: '00:00' },
      ],
    ],
  ])('%j leave too little', (ranges) => {
    expect(read(readQuietHours, ranges).errors).toEqual({ x: NOTHING_FREE });
  });

  it('are a list of at most 20 ranges', () => {
    const sentence = 'must be a list of at most 20 ranges such as { "from": "22:00", "to": "07:00" }';
    const many = Array.from({ length: 21 }, () => ({ from: '22:00', to: '07:00' }));
    for (const value of [many, { from: '22:00', to: '07:00' }, 'none', null])
      expect(read(readQuietHours, value).errors).toEqual({ x: sentence });
    expect(read(readQuietHours, [{ from: '22:00', to: '07:00' }, { from: '1' }]).errors).toEqual({
      'x[1].from': 'must be a time such as 09:30',
      'x[1].to': 'must be a time such as 09:30, or 24:00',
    });
  });
});
