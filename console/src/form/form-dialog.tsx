import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { text } from '../text/text';
import { Dialog } from './dialog';
import { Problem } from '../components/problem';

interface Props {
  title: string;
  action: string;
  children: ReactNode;
  wide?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  /** Of the call that the form makes. */
  isPending: boolean;
  error: Error | null;
  /** What the user calls a field of the request, such as what was typed for it. */
  nameOf?: (field: string) => string;
}

/** A form in a dialog. An error leaves it open, with what was typed, and Escape asks before it throws that away. */
export function FormDialog({ title, action, children, wide, onClose, onSubmit, isPending, error, nameOf }: Props) {
  const [isTyped, setTyped] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const note = useRef<HTMLDivElement>(null);
  // A long form hides what is below its fields.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog within a form is a child of it for React: only the inner form is meant.
    event.stopPropagation();
    onSubmit();
  }
  return (
    <Dialog title={title} open onClose={isTyped ? () => setLeaving(true) : onClose} wide={wide}>
      <form className="form" onSubmit={submit} onInput={() => setTyped(true)}>
        {children}
        {error && (
          <div ref={note}>
            <Problem error={error} nameOf={nameOf} />
          </div>
        )}
        {isLeaving && <Discard onDiscard={onClose} onStay={() => setLeaving(false)} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {text.confirm.back}
          </button>
          <button className="button primary" disabled={isPending}>
            {isPending ? text.confirm.pending : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Discard({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  return (
    <div className="note warn" role="alert">
      <strong>{text.discard.title}</strong>
      <span className="row">
        <button type="button" className="button danger" onClick={onDiscard}>
          {text.discard.discard}
        </button>
        <button type="button" className="button" onClick={onStay} autoFocus>
          {text.discard.keep}
        </button>
      </span>
    </div>
  );
}
