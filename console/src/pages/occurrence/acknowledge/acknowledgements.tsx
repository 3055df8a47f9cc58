import type { OccurrenceDetail } from '@carillon/client';
import { useState } from 'react';
import { useCan } from '../../../api/session';
import { Time } from '../../../components/time';
import { text } from '../../../text/text';
import { AcknowledgeDialog } from './acknowledge-dialog';

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
}

/** Who takes care of the occurrence. Nothing is shown of one that nobody can be asked to acknowledge, because it has no steps. */
export function Acknowledgements({ org, occurrence }: Props) {
  const can = useCan();
  const [isAsked, setAsked] = useState(false);
  const { acknowledgements, status, resolutions } = occurrence;
  const hasSteps = occurrence.rules.some(({ channels }) => channels.some(({ verdict }) => verdict === 'later'));
  const canAcknowledge = hasSteps && status !== 'canceled' && resolutions.length === 0 && can('occurrence:write');
  if (acknowledgements.length === 0 && !hasSteps) return null;
  return (
    <section className="card stack" aria-labelledby="acknowledged">
      <h2 id="acknowledged">{text.acknowledge.title}</h2>
      {acknowledgements.length === 0 && <p className="soft">{text.acknowledge.nobody}</p>}
      <ul className="acknowledgements">
        {acknowledgements.map(({ user, at, way, step, note }) => (
          <li key={user}>
            <strong>{user}</strong> <span className="soft">{text.acknowledge.ways[way]}</span>{' '}
            {step !== null && <span className="soft">{text.acknowledge.step(step)}</span>} <Time at={at} />
            {note !== '' && <p>{note}</p>}
          </li>
        ))}
      </ul>
      {canAcknowledge && (
        <div className="row">
          <button className="button" aria-haspopup="dialog" onClick={() => setAsked(true)}>
            {text.acknowledge.open}
          </button>
        </div>
      )}
      {isAsked && <AcknowledgeDialog org={org} occurrence={occurrence.id} close={() => setAsked(false)} />}
    </section>
  );
}
