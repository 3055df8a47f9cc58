import { expect, it } from '@jest/globals';
import { createLiquid } from '../../src/rules/template/liquid.js';
import { checkTemplate } from '../../src/rules/template/template.js';
import { consoleBundle } from '../support/console-bundle.js';

interface Words {
  variables: { name: string; sample: string }[];
  partials: string[];
  messages?: { name: string; sample: string }[];
}

interface Editor {
  FILTERS: string[];
  TAGS: string[];
  SNIPPETS: Record<string, string>;
  wordsAt(
    before: string,
    words: Words,
    isAsked?: boolean,
  ): { length: number; choices: { label: string; detail?: string }[] } | null;
}

const { FILTERS, TAGS, SNIPPETS, wordsAt } = consoleBundle('editor/liquid-words.ts', 'editor/complete.ts') as Editor;
const liquid = createLiquid(null);
const WORDS = {
  variables: [
    { name: 'order', sample: 'A-17' },
    { name: 'items', sample: '' },
    { name: 'items[].price', sample: '12' },
    { name: 'user.first_name', sample: 'Sam' },
  ],
  partials: ['footer', 'head'],
  messages: [{ name: 'order.paid', sample: 'Paid' }],
};
const labelsAt = (before: string, isAsked?: boolean) =>
  wordsAt(before, WORDS, isAsked)?.choices.map(({ label }) => label) ?? null;

it('the editor offers every filter of the service, and no other', () => {
  expect(FILTERS.toSorted()).toEqual(Object.keys(liquid.filters).sort());
});

it('the editor offers no tag that the service refuses', () => {
  const known = TAGS.filter((tag) => !/^(end|els|when)/.test(tag));
  const refused = ['#', 'block', 'include', 'layout'];
  expect(known.toSorted()).toEqual(
    Object.keys(liquid.tags)
      .filter((tag) => !refused.includes(tag))
      .sort(),
  );
});

it('the service accepts every snippet of the editor', () => {
  for (const snippet of Object.values(SNIPPETS)) {
    // A number alone is the order of a place, and its text would be empty.
    expect(snippet).not.toMatch(/\$\{\d+\}/);
    const markdown = snippet.replaceAll(/\$\{(?:\d+:)?([^}]*)\}/g, '$1');
    expect(checkTemplate({ markdown })).toEqual({});
  }
});

it('the editor offers variables after {{, filters after |, tags after {% and partials after render', () => {
  expect(labelsAt('Hello {{')).toEqual(['order', 'items', 'user.first_name']);
  expect(wordsAt('Hello {{ ord', WORDS)).toMatchObject({
    length: 3,
    choices: [{ label: 'order', detail: 'A-17' }, {}, {}],
  });
  expect(wordsAt('{{ user.fi', WORDS)?.length).toBe(7);
  expect(labelsAt('{{ order |')).toEqual(FILTERS);
  expect(wordsAt('{{ order | up', WORDS)?.length).toBe(2);
  expect(labelsAt('{% ')).toEqual(TAGS);
  expect(labelsAt('{%- e')).toEqual(TAGS);
  expect(labelsAt("{% render '")).toEqual(['footer', 'head']);
  expect(wordsAt("{% render 'fo", WORDS)?.length).toBe(2);
  expect(labelsAt('{% if ')).toEqual(['order', 'items', 'user.first_name']);
});

it('the editor offers the keys of messages in a text that an output begins with', () => {
  expect(wordsAt("{{ 'order.p", WORDS)).toEqual({ length: 7, choices: [{ label: 'order.paid', detail: 'Paid' }] });
  expect(labelsAt("{{ order | append: 'or")).toBe(null);
});

it('the editor offers the fields of the items inside a loop, and the names that the template defines', () => {
  expect(labelsAt('{% for one in items %}{{ ')).toEqual(['one', 'order', 'items', 'one.price', 'user.first_name']);
  expect(labelsAt('{% assign sum = 1 %}{{ ')).toContain('sum');
});

it('the editor offers nothing outside a tag, in a text and where a new name stands', () => {
  for (const before of [
    '',
    'Hello ',
    '{{ order }} ',
    '{% if x %} o',
    "{{ x | append: 'or",
    '{% for ',
    '{{ total | currency: ',
  ])
    expect(labelsAt(before)).toBe(null);
  expect(labelsAt('{{ total | currency: ', true)).toContain('order');
});
