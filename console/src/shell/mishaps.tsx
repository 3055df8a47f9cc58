import { useEffect, useState } from 'react';
import { text } from '../text/text';

/** Shows errors of the page itself. Nobody should have to open the browser's console to learn that something broke. */
export function Mishaps() {
  const [mishap, setMishap] = useState<string | null>(null);
  useEffect(() => {
    const onError = (event: ErrorEvent) => setMishap(event.message);
    const onRejection = (event: PromiseRejectionEvent) =>
      setMishap(event.reason instanceof Error ? event.reason.message : String(event.reason));
    addEventListener('error', onError);
    addEventListener('unhandledrejection', onRejection);
    return () => {
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
  if (mishap === null) return null;
  return (
    <div className="note bad mishap" role="alert">
      <strong>{text.mishap.title}</strong>
      <span>{mishap}</span>
      <span className="row">
        <button className="button small" onClick={() => location.reload()}>
          {text.mishap.reload}
        </button>
        <button className="button small plain" onClick={() => setMishap(null)}>
          {text.mishap.close}
        </button>
      </span>
    </div>
  );
}
