import type { ReactNode } from 'react';
import { curlOf } from '../api/curl';
import type { Call } from '../api/curl';

/** An empty page shows the next step: as a button, and as a call with the real ids. */
export function Empty({
  title,
  children,
  action,
  call,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  call?: Call;
}) {
  return (
    <div className="empty card">
      <h2>{title}</h2>
      {children && <p className="soft">{children}</p>}
      {action}
      {call && (
        <pre className="curl" tabIndex={0}>
          {curlOf(call)}
        </pre>
      )}
    </div>
  );
}
