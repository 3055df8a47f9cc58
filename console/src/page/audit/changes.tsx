import { text } from '../../text/text';

interface Props {
  changes: Record<string, unknown[]>;
  requestId: string | null;
}

/** The fields that changed: before and after. */
export function Changes({ changes, requestId }: Props) {
  return (
    <div className="audit-changes">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.audit.field}</th>
            <th scope="col">{text.audit.before}</th>
            <th scope="col">{text.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([field, [before, after]]) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>
                <Value value={before} />
              </td>
              <td>
                <Value value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {requestId && (
        <p className="soft">
          {text.audit.request} <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="soft">–</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}
