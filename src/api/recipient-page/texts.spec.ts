import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { LANGUAGES, allTexts } from './texts.js';
import { EN } from './texts/en.js';

const placeholdersIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

it.each(LANGUAGES)('has the same texts and placeholders in %s as in English', (language) => {
  const texts: Record<string, string> = allTexts[language];
  expect(Object.keys(texts)).toEqual(Object.keys(EN));
  for (const [name, text] of Object.entries(EN)) {
    expect([name, placeholdersIn(texts[name]!)]).toEqual([name, placeholdersIn(text)]);
    expect(texts[name]!.trim()).not.toBe('');
  }
});

it('marks the languages that no native speaker has reviewed', () => {
  const marked = LANGUAGES.filter((language) =>
    readFileSync(new URL(`./texts/${language}.ts`, import.meta.url), 'utf8').includes(
      'Not reviewed by a native speaker',
    ),
  );
  expect(marked).toEqual(['fr', 'es', 'pt', 'nl', 'pl', 'ja', 'ar']);
});
