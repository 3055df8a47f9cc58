import { describe, expect, it } from '@jest/globals';
import { findMessage, writeMessage } from './messages.js';

const MESSAGES = {
  ar: { orders: { zero: '0', one: '1', two: '2', few: '3-10', many: '11-99', other: '100' } },
  pl: {
    orders: {
      one: '{count} zamówienie',
      few: '{count} zamówienia',
      many: '{count} zamówień',
      other: '{count} zamówienia (ułamek)',
    },
  },
  en: { orders: { zero: 'no orders', one: 'one order', other: '{count} orders' }, hi: 'Hi {name}, {unknown}' },
  'pt-BR': { hi: 'Oi' },
};

const written = (locale: string, key: string, values: Record<string, unknown>, usual: string | null = null) => {
  const found = findMessage(MESSAGES, key, locale, usual);
  return found && writeMessage(found, values, (value, language) => `${String(value)}${language === 'pl' ? '' : ''}`);
};

describe('plural forms', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [2, '2'],
    [3, '3-10'],
    [10, '3-10'],
    [11, '11-99'],
    [99, '11-99'],
    [100, '100'],
    [102, '100'],
    [103, '3-10'],
    [111, '11-99'],
    [1.5, '100'],
  ])('are all six of Arabic: %d', (count, text) => {
    expect(written('ar-EG', 'orders', { count })).toBe(text);
  });

  it.each([
    [1, '1 zamówienie'],
    [2, '2 zamówienia'],
    [4, '4 zamówienia'],
    [5, '5 zamówień'],
    [0, '0 zamówień'],
    [12, '12 zamówień'],
    [22, '22 zamówienia'],
    [21, '21 zamówień'],
    [1.5, '1.5 zamówienia (ułamek)'],
  ])('are all four of Polish: %d', (count, text) => {
    expect(written('pl', 'orders', { count })).toBe(text);
  });

  it('have one for nothing in English, too, if the message has one', () => {
    expect([0, 1, 2].map((count) => written('en', 'orders', { count }))).toEqual([
      'no orders',
      'one order',
      '2 orders',
    ]);
  });

  it('are those of the language that the message is in, not of the reader', () => {
    expect(written('ja', 'orders', { count: 1 })).toBe('one order');
    expect(written('ja', 'orders', { count: 22 }, 'pl')).toBe('22 zamówienia');
  });

  it('fall back to other without a count', () => {
    expect(written('en', 'orders', {})).toBe('{count} orders');
  });
});

it('keeps placeholders without a value', () => {
  expect(written('en', 'hi', { name: 'Ann' })).toBe('Hi Ann, {unknown}');
});

it('takes another language for a key that the best one lacks', () => {
  expect(written('pt-BR', 'orders', { count: 1 })).toBe('one order');
  expect(findMessage({ fr: { a: 'x' } }, 'a', 'de', null)).toEqual({ text: 'x', language: 'fr' });
  expect(findMessage({ fr: { a: 'x' } }, 'toString', 'de', null)).toBeNull();
});
