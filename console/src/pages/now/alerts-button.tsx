import { Suspense, useState } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { lazily } from '../../components/lazily';
import { text } from '../../text/text';

const AlertsDialog = lazily(() => import('./alerts-dialog'), 'AlertsDialog');

/** Opens the form that says who is told, and says whether anybody is. */
export function AlertsButton({ org }: { org: string }) {
  const can = useCan();
  const isOffered = can('organization:write') && can('organization:read');
  const { data } = useRead('/api/o/{org}/settings/', { path: { org } }, { enabled: isOffered });
  const [isOpen, setOpen] = useState(false);
  if (!isOffered || !data) return null;
  return (
    <>
      <button className="button small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {data.alerts === null ? text.alerts.openNone : text.alerts.open}
      </button>
      <Suspense>{isOpen && <AlertsDialog org={org} settings={data} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
