import type { InboxMessage } from '../client/message.js';

// Bounded, so that hostile HTML costs no time.
const ANCHOR = /<a\s(?:[^<>]{0,1000}\s)?href\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'<>]{1,2000}))/i;
const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#34': '"', '#39': "'", lt: '<', gt: '>' };

/** A URL, or a path on the site of the page, if it leads to a web page. */
export function webUrl(href: string, here: string): string | null {
  try {
    const url = new URL(href, here);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Where the message leads: its own URL, or else the first link of its HTML, if it leads to a web page. Addresses in the text are no links: a text may quote what a stranger
 * wrote, while the HTML of a template escapes it.
 */
export function linkOf({ url, html }: InboxMessage, here: string): string | null {
  const own = url && webUrl(url, here);
  if (own) return own;
  const found = ANCHOR.exec(html);
  const href = (found?.[1] ?? found?.[2] ?? found?.[3])?.replace(
    /&(amp|quot|#34|#39|lt|gt);/g,
    (_, name: string) => ENTITIES[name]!,
  );
  return href ? webUrl(href, here) : null;
}

/** What is shown of a message. A text that was made from HTML names the target after each link. */
export function titleAndText({ subject, text, html }: InboxMessage): { title: string; text: string } {
  const clean = (html ? text.replace(/ ?\[(?:https?:\/\/|\/)[^\]\s]*\]/g, '') : text).trim();
  if (subject.trim()) return { title: subject, text: clean };
  const [first = '', ...rest] = clean.split('\n');
  return { title: first, text: rest.join('\n').trim() };
}
