import type { Simulation } from '@carillon/client';
import { localTimes } from '../../../components/local-times';
import { text } from '../../../text/text';

/** The steps in the order of time. */
export function TimeLine({ line }: { line: Simulation['time_line'] }) {
  if (line.length === 0) return null;
  return (
    <ol className="stack" aria-label={text.rule.simulation.timeLine}>
      {line.map(({ notification, step, repeat, sentence }) => (
        <li key={`${notification}/${step}/${repeat}`}>{localTimes(sentence)}</li>
      ))}
    </ol>
  );
}
