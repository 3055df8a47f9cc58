import type { Simulation } from '@carillon/client';
import { localTimes } from '../../../components/local-times';
import { text } from '../../../text/text';
import { Ends } from '../../rule/simulate/ends';
import { laterMessages } from '../../rule/simulate/later-messages';
import { TimeLine } from '../../rule/simulate/time-line';
import type { EventPlace } from '../place';

/** What a trigger would send, in a sentence. */
export function wouldSend(simulation: Simulation): string {
  const { messages, people } = simulation.totals;
  const later = laterMessages(simulation);
  return text.event.trigger.would(messages, people) + (later > 0 ? text.event.trigger.wouldLater(later) : '');
}

/** When it would send it, what it would end, and what is probably a mistake. */
export function WouldSend({ place, simulation }: { place: EventPlace; simulation: Simulation }) {
  const { time_line: line, ends, warnings } = simulation;
  return (
    <>
      <TimeLine line={line} />
      <Ends place={place} ends={ends} />
      {warnings.length > 0 && (
        <ul className="note warn">
          {warnings.map(({ detail }, i) => (
            <li key={i}>{localTimes(detail)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
