import type { Simulation } from '@carillon/client';
import { usePathName } from '../../../api/names';
import { text } from '../../../text/text';
import type { EventPlace } from '../../event/place';

type Thread = Simulation['ends'][number];

/** What a trigger would end, of an event that says that something is over. */
export function Ends({ place, ends }: { place: EventPlace; ends: readonly Thread[] }) {
  if (ends.length === 0) return null;
  return (
    <ul className="note">
      {ends.map((end) => (
        <li key={`${end.event} ${end.field}`}>
          <End {...{ place, end }} />
        </li>
      ))}
    </ul>
  );
}

function End({ place: { org, prj, app }, end: { event, value, occurrences } }: { place: EventPlace; end: Thread }) {
  const name = usePathName(org, event === null ? `${prj}/${app}` : `${prj}/${app}/${event}`);
  return text.rule.simulation.ends(name, value, occurrences);
}
