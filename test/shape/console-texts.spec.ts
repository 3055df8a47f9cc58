import { expect, it } from '@jest/globals';
import { de, en, languageOf, sentenceOf, textsIn, wordsIn } from '../support/console-texts.js';

/** Texts that are the same in both languages: names, units, and words that German has as well. */
const SAME = new Set([
  ...[
    'DKIM',
    'DMARC',
    'Domain',
    'Format',
    'HTML',
    'JSON',
    'Layout',
    'Layouts',
    'Link',
    'Links',
    'Live',
    'Logo',
    'MJML',
  ],
  ...[
    'Markdown',
    'Minute',
    'Name',
    'Normal',
    'Optional',
    'Rate',
    'SPF',
    'Simulation',
    'Status',
    'Support',
    'System',
    'Text',
  ],
  ...['URL', 'Variable', 'Ahorn KB'],
]);
/** Texts that say a word of the API in German instead of repeating it. */
const SAID_IN_GERMAN = new Set(['figures.over', 'category.channel']);

const english = new Map(textsIn(en));
const german = new Map(textsIn(de));

it('the console has the same texts in German as in English, made of as many values', () => {
  const shapeOf = (texts: typeof english) =>
    [...texts].map(([place, text]) => `${place} ${typeof text} ${typeof text === 'string' ? '' : text.length}`);
  expect(shapeOf(german).toSorted()).toEqual(shapeOf(english).toSorted());
});

it('a German text of the console is not the English one', () => {
  const same = [...english].flatMap(([place, text]) => {
    const { sentence, values } = sentenceOf(text);
    const other = german.get(place)!;
    const isSame = sentence === (typeof other === 'string' ? other : other(...values));
    // What has no word of two letters beside its values is a number with its unit, or a list.
    return isSame && !SAME.has(sentence) && /\p{L}{2}/u.test(withoutValues(sentence)) ? [`${place}: ${sentence}`] : [];
  });
  expect(same).toEqual([]);
});

it('a German text of the console says every value that the English one says', () => {
  const lost = [...english].flatMap(([place, text]) => {
    const { sentence, values } = sentenceOf(text);
    const other = german.get(place)!;
    const said = typeof other === 'string' ? other : other(...values);
    const isComplete = JSON.stringify(partsOf(sentence)) === JSON.stringify(partsOf(said));
    return isComplete || SAID_IN_GERMAN.has(place) ? [] : [`${place}: ${sentence} / ${said}`];
  });
  expect(lost).toEqual([]);
});

it('the console speaks the chosen language, else the first of the browser that it knows, else English', () => {
  expect(languageOf(null, ['de-AT', 'en'])).toBe('de');
  expect(languageOf(null, ['fr-FR', 'DE', 'en'])).toBe('de');
  expect(languageOf('en', ['de'])).toBe('en');
  expect(languageOf('xx', ['constructor', 'fr'])).toBe('en');
});

const CODE = /\{\{.*?\}\}|\{%.*?%\}|`.*?`/g;
/** The values of a sentence, and its pieces of templates, in any order. */
const partsOf = (sentence: string) =>
  [...new Set([...wordsIn(sentence), ...[...sentence.matchAll(CODE)].map(([code]) => code)])].toSorted();

const withoutValues = (sentence: string) => wordsIn(sentence).reduce((rest, word) => rest.replace(word, ''), sentence);
