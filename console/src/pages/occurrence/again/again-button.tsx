import { useState } from 'react';
import { useCan } from '../../../api/session';
import { text } from '../../../text/text';
import { AgainDialog } from './again-dialog';
import type { AgainPlace } from './again-dialog';

interface Props {
  org: string;
  place: AgainPlace;
  username?: string;
  notification?: string;
  /** What is sent again, for a screen reader: a list has many of these buttons. */
  about?: string;
}

/** Offers to send something again to one user. */
export function AgainButton({ about, ...props }: Props) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  if (!can('occurrence:write') || !can('user:read')) return null;
  return (
    <>
      <button type="button" className="button small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.again.button}
        {about && <span className="hidden"> {about}</span>}
      </button>
      {isOpen && <AgainDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
