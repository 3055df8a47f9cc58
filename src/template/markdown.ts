import { compile as compileToText } from 'html-to-text';
import { Marked } from 'marked';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : text;
}

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

export function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#34|#39);/g, (_entity, name: string) => CHARACTERS[name] ?? '');
}

/**
 * A value inside a Markdown source stays the text that it is: no markup, no link, no picture, no heading. Every mark of
 * punctuation gets a backslash, as CommonMark allows, and what HTML reads becomes an entity. Inside a code span or block,
 * where Markdown knows no escape, these show.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => ENTITIES[character] ?? `\\${character}`);
}

const SAFE_LINK = /^(https?:|mailto:|tel:|[^:]*$)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    // A value may be where a link leads: `[Open]({{ url }})`.
    link({ href, tokens }) {
      return SAFE_LINK.test(href.trim()) ? false : this.parser.parseInline(tokens);
    },
    image({ href, text }) {
      return SAFE_LINK.test(href.trim()) ? false : escapeHtml(text);
    },
  },
});

export function markdownToHtml(source: string): string {
  return marked.parse(source, { async: false });
}

export const htmlToText = compileToText({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});
