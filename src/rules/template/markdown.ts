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
 * Escapes a value for Markdown, so that it makes no markup, link, picture or heading. Every punctuation mark gets a
 * backslash, which CommonMark allows, and characters of HTML become entities. Inside a code span or block Markdown has no
 * escape, so the backslashes and entities are visible there.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => ENTITIES[character] ?? `\\${character}`);
}

const SAFE_LINK = /^(https?:|mailto:|tel:|[^:]*$)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    // The target of a link may be a value: `[Open]({{ url }})`.
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
    // A line for each row of a table.
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});
