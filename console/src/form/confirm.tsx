import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { text } from '../text/text';
import { Dialog } from './dialog';
import { Field } from './field';
import { Problem } from '../components/problem';

interface Props {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The text of the button that does it. */
  action: string;
  /** A word that must be typed first, for what nobody can undo. */
  word?: string;
  onClose: () => void;
  onConfirm: () => void;
  /** Of the call that the confirmation makes. */
  isPending: boolean;
  error: Error | null;
}

/** Asks before something is destroyed. */
export function Confirm({ title, children, action, word, onClose, onConfirm, isPending, error }: Props) {
  const [typed, setTyped] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    onConfirm();
  }
  return (
    <Dialog title={title} open onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div>{children}</div>
        {word && (
          <Field label={text.confirm.type(word)}>
            <input
              className="input"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
          </Field>
        )}
        {error && <Problem error={error} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {text.confirm.back}
          </button>
          <button
            className="button danger"
            disabled={isPending || (word !== undefined && typed.trim() !== word.trim())}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
