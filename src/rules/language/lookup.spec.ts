import { describe, expect, it } from '@jest/globals';
import type { TextParts } from '../template/template.js';
import { lookup, rangesOf } from './lookup.js';
import { translate } from './translate.js';

describe('rangesOf', () => {
  it.each([
    ['de', ['de']],
    ['pt-BR', ['pt-BR', 'pt']],
    ['zh-Hant-TW', ['zh-Hant-TW', 'zh-Hant', 'zh']],
    ['de-DE-u-co-phonebk', ['de-DE-u-co-phonebk', 'de-DE-u-co', 'de-DE', 'de']],
    ['en-x-twain', ['en-x-twain', 'en']],
  ])('shortens %s as RFC 4647 does', (locale, ranges) => {
    expect(rangesOf(locale)).toEqual(ranges);
  });
});

const PARTS = ['subject', 'text', 'body'] as const;

/** A random number generator with a seed, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LANGUAGES = ['de', 'pt', 'zh', 'sr', 'en'];
const SCRIPTS = ['', '', '-Hant', '-Latn'];
const REGIONS = ['', '-AT', '-BR', '-TW', '-419'];

/** Independent of the code under test: asks of each available tag how good it is. */
function expected(
  translations: Record<string, TextParts>,
  base: TextParts,
  locale: string,
  usual: string | null,
): Record<(typeof PARTS)[number], string | undefined> {
  const distance = (tag: string, of: string | null) =>
    of !== null && (of === tag || of.startsWith(`${tag}-`)) ? of.length - tag.length : Infinity;
  const rank = (tag: string) => Math.min(distance(tag, locale), 1000 + distance(tag, usual));
  const best = Object.keys(translations)
    .filter((tag) => rank(tag) < Infinity)
    .sort((a, b) => rank(a) - rank(b))
    .map((tag) => translations[tag]!);
  const bodyOf = ({ html, markdown }: TextParts) => html ?? markdown ?? undefined;
  const first = (read: (texts: TextParts) => string | null | undefined) =>
    [...best, base].map(read).find((text) => text !== undefined && text !== null) ?? undefined;
  return { subject: first(({ subject }) => subject), text: first(({ text }) => text), body: first(bodyOf) };
}

it('finds each part of a template where an independent model finds it, for 200 random locales', () => {
  const next = random(20_261_118);
  const tag = () => LANGUAGES[next(5)]! + SCRIPTS[next(4)]! + REGIONS[next(5)]!;
  const textsFor = (name: string): TextParts => ({
    ...(next(3) > 0 && { subject: `subject ${name}` }),
    ...(next(3) > 0 && { text: `text ${name}` }),
    ...[{}, { html: `html ${name}` }, { markdown: `markdown ${name}` }][next(3)],
  });
  const languages = new Set<string | null>();
  for (let i = 0; i < 200; i++) {
    const translations = Object.fromEntries(
      Array.from({ length: 1 + next(6) }, tag).map((name) => [name, { subject: `subject ${name}`, ...textsFor(name) }]),
    );
    const base = { subject: 'subject', text: 'text', ...(next(2) > 0 ? { html: 'html' } : { markdown: 'markdown' }) };
    const [locale, usual] = [tag(), next(3) > 0 ? tag() : null];
    const { parts, language } = translate({ ...base, translations }, locale, usual);
    const { subject, text, html, markdown } = parts;
    expect(html && markdown).toBeFalsy();
    expect({ subject, text, body: html ?? markdown }).toEqual(expected(translations, base, locale, usual));
    expect(language).toBe(lookup(translations, locale, usual)[0] ?? null);
    languages.add(language);
  }
  // The model is worth something only if it saw many different answers.
  expect(languages.size).toBeGreaterThan(15);
});

it('gives the same object for the same languages, so that it is compiled once', () => {
  const template = { text: 'Hi', translations: { de: { text: 'Hallo' } } };
  const of = (locale: string) => translate(template, locale, null).parts;
  expect(of('de-AT')).toBe(of('de-CH'));
  expect(of('fr')).toBe(of('it'));
  expect(of('fr')).toEqual({ text: 'Hi' });
});

it('leaves a template without translations alone', () => {
  const template = { text: 'Hi' };
  expect(translate(template, 'de', null)).toEqual({ parts: template, language: null });
  expect(translate(template, 'de', null).parts).toBe(template);
});

it('names the language of the messages, also when none fits the locale', () => {
  const messages = { en: { a: 'A' }, de: { a: 'A' } };
  const languageOf = (given: typeof messages | object, locale: string, usual: string | null = null) =>
    translate({ text: "{{ 'a' | t }}", messages: given as typeof messages }, locale, usual).language;
  expect(languageOf(messages, 'de-AT')).toBe('de');
  expect(languageOf(messages, 'fr', 'de')).toBe('de');
  expect(languageOf(messages, 'fr')).toBe('en');
  expect(languageOf({ it: { a: 'A' }, de: { a: 'A' } }, 'fr')).toBe('de');
  expect(languageOf({}, 'fr')).toBeNull();
});
