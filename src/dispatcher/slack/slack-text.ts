import { cutText } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// Slack itself cuts here, without a word to the reader; from about 4,000 on it may split a message in several.
const LONGEST = 40_000;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A message in Slack's markup. Escaped, its data can neither link nor call everyone in the room. */
export function slackText({ subject, text }: Pick<Message, 'subject' | 'text'>): string {
  const title = subject.trim();
  const whole = title === '' ? text : `*${title}*\n${text}`;
  const escaped = whole.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  return cutText(escaped, LONGEST).replace(/&[a-z]*…$/, '…');
}
