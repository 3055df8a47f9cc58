import { describe, expect, it } from '@jest/globals';
import { cellsOf, changedCells, changedFrequencies, keyOf, masterCells, readClock } from './choices.js';
import type { ChoiceCategory } from './choices.js';

const category = (change: Partial<ChoiceCategory> = {}): ChoiceCategory => ({
  ...{
    id: 3,
    name: 'News',
    description: '',
    default: 'on',
    channels: {},
    project: 'Shop',
    types: ['email'],
    choices: {},
    ...{ frequencies: ['daily'], digestAt: '09:00', frequency: null },
  },
  ...change,
});

describe('a switch', () => {
  it.each<[string, Partial<ChoiceCategory>, boolean]>([
    ['is as the category by default', {}, true],
    ['is off with a category that is off', { default: 'off' }, false],
    ['follows the default of its channel type first', { channels: { email: 'off' } }, false],
    ['follows a choice about the category before any default', { default: 'off', choices: { '': true } }, true],
    ['follows the choice about its channel type before all', { choices: { '': true, email: false } }, false],
    ['ignores choices about other channel types', { choices: { sms: false } }, true],
  ])('%s', (_, change, isOn) => {
    expect(cellsOf(category(change))).toEqual([{ category: 3, type: 'email', isOn }]);
  });

  it('does not exist for a required category, and covers all channel types of one that uses none yet', () => {
    expect(cellsOf(category({ default: 'required' }))).toEqual([]);
    expect(cellsOf(category({ types: [] }))).toEqual([{ category: 3, type: '', isOn: true }]);
  });

  it('of a whole channel type exists once', () => {
    const categories = [
      category({ types: ['sms', 'email'] }),
      category(),
      category({ default: 'required', types: ['webpush'] }),
    ];
    expect(masterCells(categories, [{ type: 'sms', isOn: false }])).toEqual([
      { category: 0, type: 'email', isOn: true },
      { category: 0, type: 'sms', isOn: false },
    ]);
  });

  it('is changed only by a form that has shown it', () => {
    const cells = cellsOf(category({ types: ['email', 'sms', 'inbox'], choices: { inbox: false } }));
    const form = new URLSearchParams([
      ['cell', keyOf(cells[0]!)],
      ['cell', '3.inbox'],
      ['cell', '9.email'],
      ['on', '3.inbox'],
    ]);
    expect(changedCells(cells, form)).toEqual([
      { category: 3, type: 'email', isOn: false },
      { category: 3, type: 'inbox', isOn: true },
    ]);
    expect(changedCells(cells, new URLSearchParams())).toEqual([]);
  });
});

describe('time zone and quiet hours', () => {
  const before = { timeZone: 'Mars/Olympus', quietHours: null, locale: 'de-AT' };
  const read = (text: string) => readClock(new URLSearchParams(text), before);

  it('are those of the organization, or the user’s own', () => {
    expect(read('zone=&quiet=default&from1=22:00&to1=07:00&days1=mon')).toEqual({
      timeZone: null,
      quietHours: null,
      locale: 'de-AT',
    });
    expect(read('zone=Europe/Rome&quiet=own&from1=22:00&to1=07:00&days1=sun&days1=mon&days1=x')).toEqual({
      timeZone: 'Europe/Rome',
      quietHours: [{ days: ['mon', 'sun'], from: '22:00', to: '07:00' }],
      locale: 'de-AT',
    });
    expect(read('zone=Mars/Olympus&quiet=own&days1=mon')).toEqual({
      timeZone: 'Mars/Olympus',
      quietHours: [],
      locale: 'de-AT',
    });
    const localeIn = (text: string) => read(`zone=&quiet=default&locale=${text}`);
    expect([localeIn('fr'), localeIn(''), localeIn('xx')]).toMatchObject([
      { locale: 'fr' },
      { locale: null },
      { locale: 'de-AT' },
    ]);
  });

  it.each([
    ['zone=Nowhere&quiet=default', 'bad_zone'],
    ['zone=&quiet=own&from1=22:00', 'bad_hours'],
    ['zone=&quiet=own&from1=22:00&to1=22:00&days1=mon', 'bad_hours'],
    ['zone=&quiet=own&from1=22:00&to1=25:00&days1=mon', 'bad_hours'],
    ['zone=&quiet=own&from1=22:00&to1=07:00', 'bad_hours'],
  ])('are refused: %s', (text, problem) => {
    expect(read(text)).toEqual({ problem });
  });

  it('stay as they are with a form that does not have them', () => {
    expect(read('')).toBeNull();
    expect(read('zone=')).toBeNull();
  });
});

it.each<[string, Partial<ChoiceCategory>, string | null, unknown[]]>([
  ['a frequency that it allows', {}, 'daily', [{ category: 3, frequency: 'daily' }]],
  ['at once, where the user has chosen', { frequency: 'daily' }, 'at_once', [{ category: 3, frequency: null }]],
  ['nothing where it is so already', { frequency: 'daily' }, 'daily', []],
  ['nothing where the form does not have it', { frequency: 'daily' }, null, []],
  ['nothing that it does not allow', {}, 'weekly', []],
  ['nothing of a required category', { default: 'required' }, 'daily', []],
  ['nothing of a category that only the app shows', { types: ['inbox'] }, 'daily', []],
])('a form changes how often a category comes: %s', (_, change, given, expected) => {
  const form = new URLSearchParams(given === null ? {} : { 'frequency.3': given });
  expect(changedFrequencies([category(change)], form)).toEqual(expected);
});
