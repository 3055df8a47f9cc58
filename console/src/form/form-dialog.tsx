import type { FormEvent, ReactNode } from 'react';
import { text } from '../text/text';
import { Dialog } from './dialog';
import { Problem } from '../part/problem';

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
}

/** A form in a dialog. An error leaves it open, with what was typed. */
export function FormDialog({ title, action, children, wide, onClose, onSubmit, isPending, error }: Props) {
  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog within a form is a child of it for React: only the inner form is meant.
    event.stopPropagation();
    onSubmit();
  }
  return (
    <Dialog title={title} open onClose={onClose} wide={wide}>
      <form className="form" onSubmit={submit}>
        {children}
        {error && <Problem error={error} />}
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
