import { expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/permission.js';
import { SLUG } from '../../src/platform/field/slug.js';
import { consoleBundle } from '../support/console-bundle.js';

interface Words {
  en: { key: { nouns: Record<string, string> } };
  slugOf(name: string): string;
  localTimes(sentence: string): string;
}

const { en, slugOf, localTimes } = consoleBundle('text/en.ts', 'form/slug.ts', 'components/local-times.ts') as Words;

it('the console has a name for every noun of the permissions', () => {
  const nouns = new Set(PERMISSIONS.map((permission) => permission.split(':')[0]!));
  expect(Object.keys(en.key.nouns).toSorted()).toEqual([...nouns].toSorted());
});

it('the console proposes slugs that the service accepts', () => {
  const slugs = ['News & offers', 'Grüße aus Zürich', ' Order paid! '].map(slugOf);
  expect(slugs).toEqual(['news-offers', 'grusse-aus-zurich', 'order-paid']);
  for (const slug of slugs) expect(slug).toMatch(SLUG);
});

it('the console shows the times of a sentence by the clock of the reader, and leaves its other words', () => {
  const at = (iso: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
  expect(
    localTimes('Ann was sent it at 2026-11-17T17:37:39Z; the next at 2026-11-18T04:00:00.500Z, order A-2026.'),
  ).toBe(
    `Ann was sent it at ${at('2026-11-17T17:37:39Z')}; the next at ${at('2026-11-18T04:00:00.500Z')}, order A-2026.`,
  );
});
