import { text } from '../../text/text';

interface Props {
  changes: Record<string, unknown[]>;
  requestId: string | null;
}

/** The fields that changed: before and after. */
export function Changes({ changes, requestId }: Props) {
  return (
    <dl className="facts audit-changes">
      {Object.entries(changes).map(([field, [before, after]]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <span className="hidden">{text.audit.before} </span>
            <Value value={before} />
            <span aria-hidden="true"> → </span>
            <span className="hidden"> {text.audit.after} </span>
            <Value value={after} />
          </dd>
        </div>
      ))}
      {requestId && (
        <div>
          <dt>{text.audit.request}</dt>
          <dd>
            <code>{requestId}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="soft">{text.audit.nothing}</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
