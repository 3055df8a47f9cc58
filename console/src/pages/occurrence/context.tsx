import type { OccurrenceDetail } from '@carillon/client';
import { text } from '../../text/text';

/** The data of the trigger, and its options. */
export function Context({ occurrence: { context, options } }: { occurrence: OccurrenceDetail }) {
  return (
    <div className="columns" id="context">
      <Json title={text.occurrence.context} value={context} />
      {Object.keys(options).length > 0 && <Json title={text.occurrence.options} value={options} />}
    </div>
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
