import { describe, expect, it } from '@jest/globals';
import { digestOfTexts, translatedFrom, translationGaps } from './translation-gaps.js';

const BASE = { subject: 'Paid', text: 'Thank you', html: '<p>Thank you</p>' };
const GERMAN = { de: { subject: 'Bezahlt', text: 'Danke', markdown: '**Danke**' } };

const gaps = (base: object, from: ReturnType<typeof translatedFrom>, translations: object = GERMAN) =>
  translationGaps(base, translations as typeof GERMAN, from).map(({ field, sentence }) => [
    field,
    sentence.split(':')[0],
  ]);

describe('translations', () => {
  it('are complete when they have every part of the template, with Markdown for HTML', () => {
    expect(gaps(BASE, translatedFrom(BASE, GERMAN, null, {}))).toEqual([]);
  });

  it('lack the parts that only the template has', () => {
    const translations = { de: { text: 'Danke' } };
    expect(gaps(BASE, translatedFrom(BASE, translations, null, {}), translations)).toEqual([
      ['translations.de.subject', 'is not translated'],
      ['translations.de.html', 'is not translated'],
    ]);
  });

  it('are outdated part by part after the template has changed, until they change, too, or the change is undone', () => {
    const first = translatedFrom(BASE, GERMAN, null, {});
    const changed = { ...BASE, text: 'Thanks a lot', html: '<p>Thanks</p>' };
    const second = translatedFrom(changed, GERMAN, { translations: GERMAN, from: first }, {});
    expect(gaps(changed, second)).toEqual([
      ['translations.de.text', 'is outdated'],
      ['translations.de.markdown', 'is outdated'],
    ]);
    expect(gaps(BASE, translatedFrom(BASE, GERMAN, { translations: GERMAN, from: second }, {}))).toEqual([]);
    const german = { de: { ...GERMAN.de, text: 'Vielen Dank' } };
    const third = translatedFrom(changed, german, { translations: GERMAN, from: second }, {});
    expect(gaps(changed, third, german)).toEqual([['translations.de.markdown', 'is outdated']]);
  });

  it('are up to date when they say so of the template as it is now', () => {
    const first = translatedFrom(BASE, GERMAN, null, {});
    const changed = { ...BASE, text: 'Thanks a lot' };
    const before = { translations: GERMAN, from: first };
    expect(gaps(changed, translatedFrom(changed, GERMAN, before, { de: digestOfTexts(changed) }))).toEqual([]);
    expect(gaps(changed, translatedFrom(changed, GERMAN, before, { de: digestOfTexts(BASE) }))).toHaveLength(1);
  });
});
