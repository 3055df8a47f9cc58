import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { LANGUAGES as OF_PAGES } from '../../src/api/recipient-page/texts.js';
import { OF_INBOX, nameInElement } from '../../src/api/recipient-page/texts/inbox.js';
import { root } from '../../src/platform/config/root.js';
import { createFolder } from '../support/folder.js';

type Texts = Record<string, string>;

interface Element {
  LANGUAGES: string[];
  ENGLISH: Texts;
  readTexts(language: string, own: { ofBrand?: Record<string, Texts>; json: string | null; texts: Texts }): Texts;
  textsOf(language: string): Texts;
}

/** The tests are built without the element, which runs in browsers. */
function bundled(): Element {
  const folder = createFolder();
  try {
    const [entry, out] = ['entry.js', 'out.cjs'].map((name) => join(folder.path, name)) as [string, string];
    const from = (name: string) => JSON.stringify(join(root, 'clients/inbox/src/element', name));
    writeFileSync(entry, `export * from ${from('texts.ts')}; export * from ${from('languages.ts')};`);
    const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
    execFileSync(process.execPath, [rolldown, entry, '--format', 'cjs', '--file', out], { stdio: 'ignore' });
    return createRequire(import.meta.url)(out) as Element;
  } finally {
    folder.remove();
  }
}

const { LANGUAGES, ENGLISH, readTexts, textsOf } = bundled();

const placeholdersIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

it('has English for what is no language', () => {
  for (const name of ['constructor', 'toString', 'xx']) expect(textsOf(name)).toEqual(ENGLISH);
});

it('has the inbox element in the languages of the pages for recipients', () => {
  expect(['en', ...LANGUAGES].sort()).toEqual([...OF_PAGES].sort());
});

it.each(LANGUAGES)('has the same texts and placeholders in %s as in English', (language) => {
  const texts = textsOf(language);
  expect(Object.keys(texts)).toEqual(Object.keys(ENGLISH));
  for (const [name, text] of Object.entries(ENGLISH)) {
    const translated = texts[name]!;
    expect([name, placeholdersIn(translated)]).toEqual([name, placeholdersIn(text)]);
    expect(translated.trim()).not.toBe('');
  }
  expect(texts).not.toEqual(ENGLISH);
});

it('follows the language of the page, and lets the page replace texts', () => {
  const own = { json: '{"title": "Post"}', texts: { archive: 'Weg' } };
  expect(readTexts('de-AT', own)).toMatchObject({ title: 'Post', archive: 'Weg', unread: 'Ungelesen' });
  expect(textsOf('sv')).toBe(ENGLISH);
});

it('takes texts of the organization in the language that it speaks, unless the page has its own', () => {
  const ofBrand = { de: { title: 'Neues', unread: 'Neu', archive: 'Fort' }, en: { title: 'News' } };
  const own = { ofBrand, json: '{"unread": "Offen"}', texts: { archive: 'Weg' } };
  expect(readTexts('de-AT', own)).toMatchObject({
    title: 'Neues',
    unread: 'Offen',
    archive: 'Weg',
    more: textsOf('de').more,
  });
  // English stands in for Swedish.
  expect(readTexts('sv', { ofBrand, json: null, texts: {} })).toEqual({ ...ENGLISH, title: 'News' });
  expect(readTexts('it', { ofBrand, json: null, texts: {} })).toEqual(textsOf('it'));
});

it('lets an organization replace every text of the element, with the same values', () => {
  const replaceable = Object.entries(OF_INBOX).map(([name, values]) => [nameInElement(name), values]);
  expect(replaceable).toEqual(
    Object.entries(ENGLISH).map(([name, text]) => [name, placeholdersIn(text).map((each) => each.slice(1, -1))]),
  );
});
