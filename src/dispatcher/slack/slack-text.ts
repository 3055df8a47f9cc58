import { cutText } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// Slack cuts a longer text at this length, without an ellipsis. It may split a text of more than about 4,000 characters into
// several messages.
const MAX_LENGTH = 40_000;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A message in Slack's markup. Escaping prevents links and mentions that come from data. */
export function slackText({ subject, text }: Pick<Message, 'subject' | 'text'>): string {
  const title = subject.trim();
  const content = title === '' ? text : `*${title}*\n${text}`;
  const escaped = content.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  return cutText(escaped, MAX_LENGTH).replace(/&[a-z]*…$/, '…');
}
