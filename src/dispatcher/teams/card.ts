import { cutText } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// Teams takes "about 28 KB", all of the payload counted.
const LARGEST_BYTES = 28_000;
const LONGEST_SUBJECT = 1000;

/** A message with one Adaptive Card, its text cut to what Teams takes. */
export function cardMessage({ subject, text }: Pick<Message, 'subject' | 'text'>): object {
  const title = cutText(subject.trim(), LONGEST_SUBJECT);
  // A card's text is Markdown, which runs lines together unless an empty one is between them.
  const lines = text.trim().replace(/[\r\n]+/g, '\n\n');
  const cutAt = (longest: number): object => withCard(title, cutText(lines, longest));
  let tooLong = Math.min(lines.length, LARGEST_BYTES);
  if (fits(cutAt(tooLong))) return cutAt(tooLong);
  let fitting = 1;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(cutAt(middle))) fitting = middle;
    else tooLong = middle;
  }
  return cutAt(fitting);
}

function fits(message: object): boolean {
  return Buffer.byteLength(JSON.stringify(message)) <= LARGEST_BYTES;
}

function withCard(title: string, text: string): object {
  const body = [
    { type: 'TextBlock', text: title, wrap: true, weight: 'Bolder', size: 'Medium' },
    { type: 'TextBlock', text, wrap: true },
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: body.filter((block) => block.text !== ''),
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}
