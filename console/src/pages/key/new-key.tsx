import type { CreatedApiKey } from '@carillon/client';
import { useState } from 'react';
import { Dialog } from '../../form/dialog';
import { text } from '../../text/text';

/** The only time that a key is shown. Escape does not close it: the key would be lost. */
export function NewKey({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const [copied, setCopied] = useState<string | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(created.key);
      setCopied(text.key.copied);
    } catch {
      // Without https, browsers offer no clipboard.
      setCopied(text.key.copyByHand);
    }
  }
  return (
    <Dialog title={text.key.created(created.name)} open onClose={() => undefined}>
      <p>{text.key.once}</p>
      <pre className="curl new-key" tabIndex={0}>
        {created.key}
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
