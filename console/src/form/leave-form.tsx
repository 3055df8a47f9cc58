import { useBlocker } from '@tanstack/react-router';
import { text } from '../text/text';
import { Dialog } from './dialog';

/** Keeps a page with edits from being left until `proceed` is called. Another tab or filter of the same page does not leave it. */
export const useLeaveBlocker = (isDirty: boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });

/** Asks before one leaves a page with edits that are not saved. */
export function LeaveForm({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useLeaveBlocker(isDirty);
  if (status !== 'blocked') return null;
  return (
    <Dialog title={text.discard.title} open onClose={reset}>
      <p>{text.discard.text}</p>
      <div className="actions">
        <button className="button danger" onClick={proceed}>
          {text.discard.discard}
        </button>
        <button className="button primary" onClick={reset}>
          {text.discard.stay}
        </button>
      </div>
    </Dialog>
  );
}
