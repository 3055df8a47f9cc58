import { Dialog } from '../../form/dialog';
import { useLeaveBlocker } from '../../form/leave-form';
import { text } from '../../text/text';

/** Asks before one leaves with edits. The tabs of the event are not left: the edits are still there when one comes back. */
export function Leave({ isDirty, discard }: { isDirty: boolean; discard: () => void }) {
  const { status, proceed, reset } = useLeaveBlocker(isDirty);
  if (status !== 'blocked') return null;
  return (
    <Dialog title={text.rule.leave.title} open onClose={reset}>
      <p>{text.rule.leave.text}</p>
      <div className="actions">
        <button
          className="button danger"
          onClick={() => {
            discard();
            proceed();
          }}
        >
          {text.rule.leave.discard}
        </button>
        <button className="button" onClick={proceed}>
          {text.rule.leave.keep}
        </button>
        <button className="button primary" onClick={reset}>
          {text.rule.leave.stay}
        </button>
      </div>
    </Dialog>
  );
}
