import { ProblemError } from '@carillon/client';
import type { OccurrenceDetail } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { MoreMenu } from '../../components/more-menu';
import { Status } from '../../components/badge';
import { Empty } from '../../components/empty';
import { EventLink } from '../../components/links';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useEventNames } from '../../api/names';
import { useCan } from '../../api/session';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { Acknowledged } from './acknowledge/acknowledged';
import { Acknowledgements } from './acknowledge/acknowledgements';
import { Context } from './context';
import { Deliveries } from './delivery/deliveries';
import { Facts } from './facts';
import { Progress } from './progress';
import { identityOf } from './identity';
import { Resolved } from './resolved';
import { Steer } from './steer/steer';
import { useOccurrence } from './use-occurrence';
import { Verdicts } from './verdicts';
import { Why } from './why/why';
import './occurrence.css';

const route = getRouteApi('/o/$org/occurrences/$occurrence');

/** The event, and which one of its triggers: by the order number or the like, otherwise by its time. */
function Title({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const { event } = useEventNames(org, occurrence);
  const identity = identityOf(occurrence.context);
  return (
    <>
      {event} <span className="soft">{identity ?? <Time at={occurrence.created_at} />}</span>
    </>
  );
}

/** One trigger: what became of it, why, and what can be done about it. */
export function Occurrence() {
  const { org, occurrence: id } = route.useParams();
  const can = useCan();
  const { occurrence, explained, counts, sign, error, refetch } = useOccurrence(org, id);
  if (!occurrence && error instanceof ProblemError && [400, 404].includes(error.status))
    return <Empty title={text.occurrence.missing}>{text.occurrence.missingHint}</Empty>;
  return (
    <div className="page">
      <div className="head">
        <div className="occurrence-name">
          {occurrence && (
            <p className="soft">
              <EventLink org={org} place={occurrence} />
            </p>
          )}
          <h1>{occurrence ? <Title org={org} occurrence={occurrence} /> : text.palette.kinds.occurrence}</h1>
        </div>
        {occurrence && <Status status={occurrence.status} />}
        <MoreMenu live={error ? 'lost' : sign} call={{ path: `/api/o/${org}/occurrences/${id}/` }} />
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!occurrence && !error && <Rows count={10} />}
      {occurrence && explained && counts && (
        <>
          <Resolved org={org} occurrence={occurrence} />
          <Acknowledged org={org} occurrence={occurrence} />
          {can('occurrence:write') && <Steer org={org} occurrence={occurrence} counts={counts} />}
          {can('user:read') && <Why org={org} occurrence={occurrence} />}
          <div className="occurrence-columns">
            <Progress counts={counts} gates={explained.gates} />
            <Facts org={org} occurrence={occurrence} sentence={explained.sentence} />
          </div>
          <Acknowledgements org={org} occurrence={occurrence} />
          <Verdicts org={org} occurrence={occurrence} explained={explained} />
          <Deliveries org={org} occurrence={occurrence} />
          <Context occurrence={occurrence} />
        </>
      )}
    </div>
  );
}
