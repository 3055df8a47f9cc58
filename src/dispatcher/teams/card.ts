import { cutText, cutToFit } from '../cut-text.js';
import type { Message } from '../dispatcher.js';

// Teams takes "about 28 KB" for the whole payload.
const MAX_BYTES = 28_000;
const MAX_SUBJECT = 1000;

/** A message with one Adaptive Card. The text is cut to the size that Teams takes. */
export function cardMessage({ subject, text }: Pick<Message, 'subject' | 'text'>): object {
  const title = cutText(subject.trim(), MAX_SUBJECT);
  // A card's text is Markdown, which joins two lines unless an empty line is between them.
  const lines = text.trim().replace(/[\r\n]+/g, '\n\n');
  const fits = (cut: string) => Buffer.byteLength(JSON.stringify(withCard(title, cut))) <= MAX_BYTES;
  return withCard(title, cutToFit(lines, Math.min(lines.length, MAX_BYTES), fits));
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
