import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import type { useUpload } from './use-upload';

type Run = ReturnType<typeof useUpload>;

interface Props {
  run: Pick<Run, 'isRunning' | 'error' | 'stop'> & { outcome: { done: number } | null };
  total: number;
  action: string;
  running: string;
  disabled: boolean;
  onStart: () => void;
  onResume: () => void;
}

/** Begins to send lines, shows how far it is, and goes on where it was stopped. */
export function Running({ run, total, action, running, disabled, onStart, onResume }: Props) {
  const { outcome, isRunning, error } = run;
  if (!outcome)
    return (
      <div className="row">
        <button type="button" className="button primary" disabled={disabled} onClick={onStart}>
          {action}
        </button>
      </div>
    );
  return (
    <>
      <div className="field" role="status">
        <span className="label">{isRunning ? running : text.import.stopped}</span>
        <progress aria-label={running} value={outcome.done} max={total} />
        <span className="hint">{text.import.progress(outcome.done, total)}</span>
      </div>
      {error && <Problem error={error} />}
      <div className="row">
        {isRunning ? (
          <button type="button" className="button" onClick={run.stop}>
            {text.import.stop}
          </button>
        ) : (
          <button type="button" className="button primary" onClick={onResume}>
            {text.import.resume}
          </button>
        )}
      </div>
    </>
  );
}
