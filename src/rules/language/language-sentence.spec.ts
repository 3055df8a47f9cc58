import { expect, it } from '@jest/globals';
import { languageSentence } from './language-sentence.js';

it.each([
  [{ language: 'de', locale: 'de', by: 'user' }, 'in German, because the locale of the user is de'],
  [
    { language: 'de', locale: 'de-AT', by: 'user' },
    'in German, because the locale of the user is de-AT and there is no de-AT translation',
  ],
  [
    { language: 'zh', locale: 'zh-Hant-TW', by: 'trigger' },
    'in Chinese, because the locale of the trigger is zh-Hant-TW and there is no zh-Hant-TW or zh-Hant translation',
  ],
  [
    { language: 'de', locale: 'fr', by: 'user' },
    'in German, because the locale of the user is fr, there is no fr translation, and the next language in line is German',
  ],
  [
    { language: null, locale: 'fr-CA', by: 'organization' },
    'in the language of the template itself, because the locale of the organization is fr-CA and there is no fr-CA or fr translation',
  ],
  [
    { language: null, locale: 'en', by: null },
    'in the language of the template itself, because neither the user nor the organization has a locale',
  ],
] as const)('says why %j was used', (used, sentence) => {
  expect(languageSentence(used)).toBe(sentence);
});
