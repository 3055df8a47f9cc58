import type { PlacedOccurrence } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useEventNames } from '../../../api/names';
import { Badge } from '../../../components/badge';
import { Icon } from '../../../components/icon';
import { PersonLink } from '../../../components/links';
import { Time } from '../../../components/time';
import { text } from '../../../text/text';

interface Props {
  org: string;
  occurrence: PlacedOccurrence;
}

/** What became of the steps of an occurrence, in a line of its row. Nothing is shown of one without steps, or of one that was canceled. */
export function StepsLine({ org, occurrence }: Props) {
  const { steps, status } = occurrence;
  if (!steps || status === 'canceled') return null;
  const { acknowledgement, resolution, open, next_at: nextAt } = steps;
  const waits = !acknowledgement && !resolution;
  if (waits && !open && !nextAt) return null;
  return (
    <span className="steps-line">
      {resolution && <Over org={org} occurrence={occurrence} resolution={resolution} />}
      {acknowledgement && (
        <span>
          <Badge tone="accent">
            <Icon name="check" />
            {text.occurrences.acknowledged}
          </Badge>{' '}
          <span className="soft">
            {text.occurrences.by} <PersonLink org={org} username={acknowledgement.user} />{' '}
            <Time at={acknowledgement.at} />
            {open && `, ${text.occurrences.notOver}`}
          </span>
        </span>
      )}
      {waits && (
        <span>
          {open && (
            <Badge tone="warn">
              <Icon name="alert" />
              {text.occurrences.open}
            </Badge>
          )}{' '}
          <span className="soft">
            {open && text.occurrences.nobodyAcknowledged}
            {open && nextAt && ', '}
            {nextAt && (
              <>
                {text.occurrences.nextStep} <Time at={nextAt} />
              </>
            )}
          </span>
        </span>
      )}
    </span>
  );
}

type Resolution = NonNullable<NonNullable<PlacedOccurrence['steps']>['resolution']>;

function Over({ org, occurrence, resolution }: Props & { resolution: Resolution }) {
  const names = useEventNames(org, { ...occurrence, event: resolution.event ?? occurrence.event });
  return (
    <span>
      <Badge tone="good">
        <Icon name="check" />
        {text.occurrences.isOver}
      </Badge>{' '}
      <span className="soft">
        <Time at={resolution.at} />
        {resolution.event !== null && (
          <>
            {', '}
            {text.occurrences.by}{' '}
            <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: resolution.occurrence }} search={{}}>
              {names.event}
            </Link>
          </>
        )}
      </span>
    </span>
  );
}
