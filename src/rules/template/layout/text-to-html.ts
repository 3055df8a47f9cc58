import { escapeHtml } from '../markdown.js';

const LINK = /https?:\/\/[^\s<>"'()]+[^\s<>"'().,;:!?]/g;

/** A plain text as HTML: paragraphs, line breaks and links. */
export function textToHtml(text: string): string {
  const paragraphs = text.trim().split(/\n[^\S\n]*\n\s*/);
  return paragraphs.map((each) => `<p>${linked(each).replaceAll('\n', '<br>\n')}</p>`).join('\n');
}

function linked(text: string): string {
  let html = '';
  let end = 0;
  for (const { 0: url, index } of text.matchAll(LINK)) {
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    end = index + url.length;
  }
  return html + escapeHtml(text.slice(end));
}
