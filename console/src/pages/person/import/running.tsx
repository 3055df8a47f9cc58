import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import type { useUpload } from './use-upload';

type Upload<Line> = ReturnType<typeof useUpload<Line, { done: number }>>;

interface Props<Line> {
  run: Pick<Upload<Line>, 'isRunning' | 'error' | 'stop' | 'start' | 'resume' | 'outcome'>;
  lines: readonly Line[];
  action: string;
  running: string;
  disabled?: boolean;
}

/** Begins to send lines, shows how far it is, and goes on where it was stopped. */
export function Running<Line>({ run, lines, action, running, disabled }: Props<Line>) {
  const { outcome, isRunning, error } = run;
  const total = lines.length;
  if (!outcome)
    return (
      <div className="row">
        <button type="button" className="button primary" disabled={disabled} onClick={() => run.start(lines)}>
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
          <button type="button" className="button primary" onClick={() => run.resume(lines)}>
            {text.import.resume}
          </button>
        )}
      </div>
    </>
  );
}
