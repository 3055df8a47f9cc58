import type { Counts, OccurrenceDetail } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../../api/session';
import { text } from '../../../text/text';
import { SteerDialog } from './steer-dialog';
import { offersOf } from './steer-offer';
import type { Outcome, Verb } from './steer-offer';

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  counts: Counts;
}

/** What one may do with an occurrence now. Each says its consequences before, and its outcome after. */
export function Steer({ org, occurrence, counts }: Props) {
  const can = useCan();
  const [asked, setAsked] = useState<Verb | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const offers = offersOf(occurrence, counts, can('event:trigger-critical'));
  const offer = offers.find(({ verb }) => verb === asked);
  return (
    <>
      {occurrence.status === 'held' && (
        <div className="note warn">
          <strong>{text.occurrence.heldTitle}</strong>
          <span>{text.occurrence.held}</span>
        </div>
      )}
      {outcome && (
        <p className="note good" role="status">
          <span>
            {outcome.text}{' '}
            {outcome.occurrence && (
              <Link
                to="/o/$org/occurrences/$occurrence"
                params={{ org, occurrence: outcome.occurrence }}
                search={{}}
                className="mono"
              >
                {outcome.occurrence}
              </Link>
            )}
          </span>
        </p>
      )}
      <div className="row">
        {offers.map(({ verb, title, isDanger, isFirst }) => (
          <button
            key={verb}
            className={`button ${isDanger ? 'danger' : isFirst ? 'primary' : ''}`}
            aria-haspopup="dialog"
            title={title}
            onClick={() => setAsked(verb)}
          >
            {text.steer[verb]}
          </button>
        ))}
      </div>
      {offer && (
        <SteerDialog
          org={org}
          occurrence={occurrence.id}
          offer={offer}
          close={() => setAsked(null)}
          done={(result) => {
            setAsked(null);
            setOutcome(result);
          }}
        />
      )}
    </>
  );
}
