import type { ReactNode } from 'react';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';

interface Props {
  title: string;
  onClose: () => void;
  isBusy?: boolean;
  children: ReactNode;
}

/** The answer to a step, above the editor, until one closes it. */
export function Panel({ title, onClose, isBusy, children }: Props) {
  return (
    <section className="card stack panel" aria-label={title} aria-busy={isBusy}>
      <div className="row">
        <h2>{title}</h2>
        <span className="space" />
        <button className="button small plain" onClick={onClose} aria-label={text.rule.closePanel(title)}>
          {text.errorToast.close}
        </button>
      </div>
      {isBusy && <Rows count={3} />}
      {children}
    </section>
  );
}
