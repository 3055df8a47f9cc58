import { useBlocker } from '@tanstack/react-router';
import { text } from '../text/text';
import { Dialog } from './dialog';

/**
 * Keeps a page with edits from being left until `proceed` is called. Another tab or filter of the same page does not leave it, unless the
 * form `isOfTab`.
 */
export const useLeaveBlocker = (isDirty: boolean, isOfTab = false) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && (current.pathname !== next.pathname || (isOfTab && tabOf(current) !== tabOf(next))),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });

const tabOf = ({ search }: { search: { tab?: string } }) => search.tab;

/** Asks before one leaves a page, or the tab of one, with edits that are not saved. */
export function LeaveForm({ isDirty, isOfTab }: { isDirty: boolean; isOfTab?: boolean }) {
  const { status, proceed, reset } = useLeaveBlocker(isDirty, isOfTab);
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
