import { Link } from '@tanstack/react-router';
import type { OccurrenceDetail } from '@carillon/client';
import { useEventNames } from '../../api/names';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { StoppedSteps } from './step/stopped-steps';

/** Since when it is over, and the trigger that said so. */
export function Resolved({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const [first] = occurrence.resolutions.toSorted((a, b) => a.at.localeCompare(b.at));
  if (!first) return null;
  return (
    <div className="note" role="status">
      <strong>
        {text.occurrence.overSince} <Time at={first.at} />
      </strong>
      <span>
        {text.occurrence.overHint}{' '}
        <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: first.occurrence }} search={{}}>
          {text.occurrence.overBy}
        </Link>
      </span>
      <StoppedSteps org={org} occurrence={occurrence} />
    </div>
  );
}

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  event: string | null;
  field: string | null;
}

/** What a trigger has ended: the event and the value of its thread. */
export function EndedThread({ org, occurrence, event, field }: Props) {
  const names = useEventNames(org, { ...occurrence, event: event ?? occurrence.event });
  const value = field === null ? occurrence.options.resolves_thread : valueAt(occurrence.context, field);
  return <div>{[event === null ? '' : names.event, String(value ?? '')].filter(Boolean).join(' ')}</div>;
}

/** The value of a field such as `incident.id`. */
function valueAt(context: unknown, field: string): unknown {
  let value = context;
  for (const name of field.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}
