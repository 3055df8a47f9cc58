import { Suspense, useEffect, useState } from 'react';
import { useCan } from '../api/session';
import { Icon } from '../components/icon';
import { lazily } from '../components/lazily';
import { text } from '../text/text';
import { isTyping } from './keys';
import { mayStopSomething } from './stop/stop-target';

const StopDialog = lazily(() => import('./stop/stop-dialog'), 'StopDialog');

/** The control that stops things, on every page. The key `x` opens it too. */
export function StopControl({ org }: { org: string }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const isOffered = mayStopSomething(can);
  useEffect(() => {
    if (!isOffered) return;
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'x' || isTyping(event)) return;
      event.preventDefault();
      setOpen(true);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOffered]);
  if (!isOffered) return null;
  return (
    <>
      <button className="button danger" aria-haspopup="dialog" aria-keyshortcuts="x" onClick={() => setOpen(true)}>
        <Icon name="stop" /> {text.stop.open} <kbd>x</kbd>
      </button>
      <Suspense>{isOpen && <StopDialog org={org} close={() => setOpen(false)} />}</Suspense>
    </>
  );
}
