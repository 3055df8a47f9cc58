import { describe, expect, it } from '@jest/globals';
import { readMessages } from './read-messages.js';

const errorsOf = (given: unknown) => {
  const read = readMessages(given);
  return 'errors' in read ? read.errors : {};
};

describe('messages', () => {
  it('may have nested keys', () => {
    expect(readMessages({ 'de-at': { order: { paid: 'Bezahlt', 'sent.by': 'Von' } } })).toEqual({
      messages: { 'de-AT': { 'order.paid': 'Bezahlt', 'order.sent.by': 'Von' } },
    });
  });

  it('are refused with the first 100 errors', () => {
    const wrong = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a b${i}`, 'x']));
    const errors = errorsOf({ en: { order: wrong }, de: wrong, fr: { ok: 1 } });
    expect(Object.keys(errors)).toHaveLength(100);
    expect(Object.keys(errors)[0]).toBe('messages.en.order.a b0');
  });

  it('have no key that would be lost', () => {
    expect(errorsOf(JSON.parse('{ "en": { "__proto__": "x", "a": "y" } }'))).toEqual({
      'messages.en.__proto__': [{ code: 'not_allowed', sentence: expect.stringMatching(/reserved/) }],
    });
  });

  it('have no key that a file would take for the name of a file', () => {
    expect(Object.keys(errorsOf({ en: { file: 'a.yaml' } }))).toEqual(['messages.en.file']);
    expect(errorsOf({ en: { file: { name: 'Name' } } })).toEqual({});
  });
});
