import { expect, it } from '@jest/globals';
import { readTranslations } from './read-translations.js';

const errorsOf = (given: unknown) => {
  const read = readTranslations(given);
  return 'errors' in read ? read.errors : {};
};

it('names at most 100 unknown parts', () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`part${i}`, 'x']));
  const errors = errorsOf({ de: { text: 'Hallo', ...unknown }, fr: unknown });
  expect(Object.keys(errors).length).toBeLessThanOrEqual(100);
  expect(errors['translations.de.part0']).toMatchObject([{ code: 'unknown_field' }]);
});

it('bounds the length of all languages together', () => {
  const text = 'x'.repeat(128 * 1024);
  expect(errorsOf({ de: { text }, fr: { text } })).toEqual({});
  expect(errorsOf({ de: { text }, fr: { text }, it: { subject: 'x' } })).toEqual({
    translations: [{ code: 'too_large', sentence: expect.stringContaining('262144') }],
  });
});
