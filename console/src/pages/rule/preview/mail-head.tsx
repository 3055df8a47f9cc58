import type { Previewed } from '@carillon/client';
import { text } from '../../../text/text';

/** Headers that every mail program shows. */
const SHOWN = ['From', 'To', 'Reply-To'];

/** The head of a mail: its subject, who sends it to whom, and its files. */
export function MailHead({ message }: { message: Previewed }) {
  const { subject, head, attachments } = message;
  const all = Object.entries(head ?? {});
  const more = all.filter(([name]) => !SHOWN.includes(name));
  if (!head && !subject && attachments.length === 0) return null;
  return (
    <div className="mail-head">
      {(subject || head) && (
        <p className="message-subject">{subject || <span className="soft">{text.rule.preview.noSubject}</span>}</p>
      )}
      {head && <Headers lines={all.filter(([name]) => SHOWN.includes(name))} />}
      {more.length > 0 && (
        <details>
          <summary>{text.rule.preview.headers(more.length)}</summary>
          <Headers lines={more} />
        </details>
      )}
      {attachments.length > 0 && (
        <ul className="mail-files" aria-label={text.rule.preview.attachments}>
          {attachments.map(({ filename, size }, i) => (
            <li key={i}>
              {filename}
              {size !== null && <span className="soft"> {text.rule.preview.kilobytes(Math.ceil(size / 1024))}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const Headers = ({ lines }: { lines: [string, string][] }) => (
  <dl className="facts">
    {lines.map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
