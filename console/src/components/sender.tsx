import type { Previewed } from '@carillon/client';
import { text } from '../text/text';

/** The lines of a mail's head that its template has set, as facts. */
export function SenderFacts({ from, reply_to: replyTo, headers }: Pick<Previewed, 'from' | 'reply_to' | 'headers'>) {
  const { parts } = text.rule;
  const lines = Object.entries({ [parts.from]: from, [parts.reply_to]: replyTo, ...headers });
  return lines
    .filter(([, value]) => value)
    .map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ));
}
