import type { Page } from 'playwright-core';
import { de, en, sentenceOf, textsIn, wordsIn } from './console-texts.js';

const german = new Set([...textsIn(de)].map(([, text]) => sentenceOf(text).sentence));
/** Each English text, as a pattern with gaps where its values stand. */
const english = [...textsIn(en)].flatMap(([place, text]) => {
  const { sentence } = sentenceOf(text);
  const fixed = wordsIn(sentence).reduce((rest, word) => rest.replace(word, '\0'), sentence);
  // What has few letters beside its values would match anything, and a single word may be a name.
  if (german.has(sentence) || !fixed.trim().includes(' ') || fixed.replaceAll(/\P{L}/gu, '').length < 4) return [];
  const pattern = fixed.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return [{ place, pattern: new RegExp(`^${pattern.replaceAll('\0', '.+?')}$`, 'su') }];
});

/** What a page shows or says, piece by piece. */
const PIECES = `[
  ...[...document.querySelectorAll('body *')].flatMap((element) => [
    ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name)),
    ...(element.closest('script, style, noscript, .cm-content, [lang]:not(html)') ? []
      : [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data)),
  ]),
  document.title,
].filter(Boolean).map((piece) => piece.trim())`;

/** The English texts of the console that are left on a page that is shown in German. */
export async function englishOn(page: Page): Promise<string[]> {
  const pieces = new Set(await page.evaluate<string[]>(PIECES));
  return [...pieces].flatMap((piece) =>
    english.filter(({ pattern }) => pattern.test(piece)).map(({ place }) => `${place}: ${piece}`),
  );
}
