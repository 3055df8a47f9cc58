import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useSession } from '../api/session';

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A dialog that keeps what was typed: only Escape, its own buttons and its close button end it, never a click beside it. While nobody is signed
 * in, it is hidden behind the sign-in page.
 */
export function Dialog({ title, open, onClose, wide, children }: Props) {
  const isSignedIn = useSession() !== null;
  return (
    <Base.Root open={open && isSignedIn} onOpenChange={(isOpen) => !isOpen && onClose()} disablePointerDismissal>
      <Base.Portal keepMounted={open}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={wide ? 'dialog wide' : 'dialog'}>
          <Base.Title render={<h2 />}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
