import type { InboxMessage } from '../client/message.js';

// Bounded, so that hostile HTML costs no time.
const ANCHOR = /<a\s(?:[^<>]{0,1000}\s)?href\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'<>]{1,2000}))/i;
const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#34': '"', '#39': "'", lt: '<', gt: '>' };

/**
 * The first link of the message's HTML, if it leads to a web page. Addresses in the text are no links: a text may quote what a stranger
 * wrote, while the HTML of a template escapes it.
 */
export function linkOf({ html }: InboxMessage, here: string): string | null {
  const found = ANCHOR.exec(html);
  const href = (found?.[1] ?? found?.[2] ?? found?.[3])?.replace(
    /&(amp|quot|#34|#39|lt|gt);/g,
    (_, name: string) => ENTITIES[name]!,
  );
  if (!href) return null;
  try {
    const url = new URL(href, here);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** What is shown of a message. A text that was made from HTML names the target after each link. */
export function titleAndText({ subject, text, html }: InboxMessage): { title: string; text: string } {
  const clean = (html ? text.replace(/ ?\[(?:https?:\/\/|\/)[^\]\s]*\]/g, '') : text).trim();
  if (subject.trim()) return { title: subject, text: clean };
  const [first = '', ...rest] = clean.split('\n');
  return { title: first, text: rest.join('\n').trim() };
}
