import type { OccurrenceDetail } from '@carillon/client';
import { text } from '../../text/text';

/** The data of the trigger, its options, and the files that its messages carry. */
export function Context({ occurrence: { context, options, attachments } }: { occurrence: OccurrenceDetail }) {
  return (
    <div className="columns" id="context">
      <Json title={text.occurrence.context} value={context} />
      {Object.keys(options).length > 0 && <Json title={text.occurrence.options} value={options} />}
      {attachments.length > 0 && <Attachments attachments={attachments} />}
    </div>
  );
}

function Attachments({ attachments }: Pick<OccurrenceDetail, 'attachments'>) {
  return (
    <section className="card">
      <h2>{text.occurrence.attachments}</h2>
      <ul>
        {attachments.map(({ filename, content_type: type, size, url }, i) => (
          <li key={i}>
            {filename} <span className="hint">{text.occurrence.attachment(type, size, url)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      <pre className="json" tabIndex={0} aria-label={title}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}
