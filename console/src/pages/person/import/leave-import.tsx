import type { ReactNode } from 'react';
import { Dialog } from '../../../form/dialog';
import { useLeaveBlocker } from '../../../form/leave-form';
import { text } from '../../../text/text';

interface Props {
  isBusy: boolean;
  onStop: () => void;
  children: ReactNode;
}

/** Asks before one leaves a page that imports. */
export function LeaveImport({ isBusy, onStop, children }: Props) {
  const { status, proceed, reset } = useLeaveBlocker(isBusy);
  if (status !== 'blocked') return null;
  return (
    <Dialog title={text.import.leave} open onClose={reset}>
      <p>{children}</p>
      <div className="actions">
        <button
          className="button danger"
          onClick={() => {
            onStop();
            proceed();
          }}
        >
          {text.import.leaveAction}
        </button>
        <button className="button primary" onClick={reset}>
          {text.discard.stay}
        </button>
      </div>
    </Dialog>
  );
}
