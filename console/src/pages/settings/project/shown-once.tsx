import { useState } from 'react';
import { Dialog } from '../../../form/dialog';
import { text } from '../../../text/text';

interface Props {
  title: string;
  hint: string;
  secret: string;
  onClose: () => void;
}

/** The only time that a secret is shown. Escape does not close it: the secret would be lost. */
export function ShownOnce({ title, hint, secret, onClose }: Props) {
  const [copied, setCopied] = useState<string | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(text.key.copied);
    } catch {
      // Without https, browsers offer no clipboard.
      setCopied(text.key.copyByHand);
    }
  }
  return (
    <Dialog title={title} open onClose={() => undefined}>
      <p>{hint}</p>
      <pre className="curl" tabIndex={0}>
        {secret}
      </pre>
      <div className="actions">
        <span className="soft" aria-live="polite">
          {copied}
        </span>
        <button className="button" onClick={() => void copy()} autoFocus>
          {text.key.copy}
        </button>
        <button className="button primary" onClick={onClose}>
          {text.key.saved}
        </button>
      </div>
    </Dialog>
  );
}
