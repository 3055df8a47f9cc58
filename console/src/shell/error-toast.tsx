import { useEffect, useState } from 'react';
import { text } from '../text/text';

/** Shows errors of the page itself. Nobody should have to open the browser's console to learn that something broke. */
export function ErrorToast() {
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const onError = (event: ErrorEvent) => setError(event.message);
    const onRejection = (event: PromiseRejectionEvent) =>
      setError(event.reason instanceof Error ? event.reason.message : String(event.reason));
    addEventListener('error', onError);
    addEventListener('unhandledrejection', onRejection);
    return () => {
      removeEventListener('error', onError);
      removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
  if (error === null) return null;
  return (
    <div className="note bad error-toast" role="alert">
      <strong>{text.errorToast.title}</strong>
      <span>{error}</span>
      <span className="row">
        <button className="button small" onClick={() => location.reload()}>
          {text.errorToast.reload}
        </button>
        <button className="button small plain" onClick={() => setError(null)}>
          {text.errorToast.close}
        </button>
      </span>
    </div>
  );
}
