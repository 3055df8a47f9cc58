import { ProblemError } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { MoreMenu } from '../../components/more-menu';
import { Status } from '../../components/badge';
import { Empty } from '../../components/empty';
import { EventLink } from '../../components/links';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useCan } from '../../api/session';
import { text } from '../../text/text';
import { Acknowledgements } from './acknowledge/acknowledgements';
import { Context } from './context';
import { Deliveries } from './delivery/deliveries';
import { Facts } from './facts';
import { Progress } from './progress';
import { Steer } from './steer/steer';
import { useOccurrence } from './use-occurrence';
import { Verdicts } from './verdicts';
import { Why } from './why/why';
import './occurrence.css';

const route = getRouteApi('/o/$org/occurrences/$occurrence');

/** One trigger: what became of it, why, and what can be done about it. */
export function Occurrence() {
  const { org, occurrence: id } = route.useParams();
  const can = useCan();
  const { occurrence, counts, sign, error, refetch } = useOccurrence(org, id);
  if (!occurrence && error instanceof ProblemError && [400, 404].includes(error.status))
    return <Empty title={text.occurrence.missing}>{text.occurrence.missingHint}</Empty>;
  return (
    <div className="page">
      <div className="head">
        <div className="occurrence-name">
          <h1>{occurrence ? <EventLink org={org} place={occurrence} /> : text.palette.occurrence}</h1>
          <span className="mono soft">{id}</span>
        </div>
        {occurrence && <Status status={occurrence.status} />}
        <MoreMenu live={error ? 'lost' : sign} call={{ path: `/api/o/${org}/occurrences/${id}/` }} />
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!occurrence && !error && <Rows count={10} />}
      {occurrence && counts && (
        <>
          {can('occurrence:write') && <Steer org={org} occurrence={occurrence} counts={counts} />}
          {can('user:read') && <Why org={org} occurrence={occurrence} />}
          <div className="occurrence-columns">
            <Progress counts={counts} gates={occurrence.gates} />
            <Facts org={org} occurrence={occurrence} />
          </div>
          <Acknowledgements org={org} occurrence={occurrence} />
          <Verdicts org={org} occurrence={occurrence} />
          <Deliveries org={org} occurrence={occurrence} />
          <Context occurrence={occurrence} />
        </>
      )}
    </div>
  );
}
