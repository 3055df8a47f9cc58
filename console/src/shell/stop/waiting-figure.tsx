import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import { Problem } from '../../components/problem';
import type { Waiting } from './use-waiting';

interface Props {
  waiting: Waiting | undefined;
  error: Error | null;
  /** Whether only the newest occurrences were counted. */
  isSample: boolean;
}

/** How many messages would be kept back. */
export function WaitingFigure({ waiting, error, isSample }: Props) {
  if (error) return <Problem error={error} />;
  if (!waiting) return <p className="soft">{text.stop.counting}</p>;
  const { pending, unresolved, occurrences } = waiting;
  return (
    <p className="waiting">
      <span className="figure">{formatNumber(pending)}</span>
      <span>
        {text.stop.waiting(String(pending))}
        {isSample && <span className="soft"> {text.stop.waitingOf(occurrences)}</span>}
        {unresolved > 0 && <span className="soft"> · {text.stop.unresolved(unresolved)}</span>}
      </span>
    </p>
  );
}
