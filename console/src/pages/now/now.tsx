import { Link, getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useSession } from '../../api/session';
import { MoreMenu } from '../../components/more-menu';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { AlertsButton } from './alerts-button';
import { Minutes } from './minutes';
import { Needs } from './needs';
import { OldestJob } from './oldest-job';
import { SendingNow } from './sending';
import { WaitingNow } from './waiting';
import './now.css';

const route = getRouteApi('/o/$org');

/** What needs attention, and how busy it is. */
export function Now() {
  const { org } = route.useParams();
  const session = useSession();
  const place = [session?.project, session?.application].filter(Boolean).join('/');
  return <div className="page">{place ? <Branch org={org} place={place} /> : <Whole org={org} />}</div>;
}

function Whole({ org }: { org: string }) {
  const { data, error, refetch } = useRead('/api/o/{org}/summary/', { path: { org } }, { poll: true });
  return (
    <>
      <div className="head">
        <h1>{text.pages.now}</h1>
        <MoreMenu live={error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/summary/` }} />
        <AlertsButton org={org} />
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Rows count={8} />}
      {data && (
        <>
          <Needs org={org} summary={data} />
          {data.sending.length > 0 && <SendingNow org={org} sending={data.sending} />}
          {data.waiting.length > 0 && <WaitingNow org={org} waiting={data.waiting} />}
          <div className="now-flow">
            <Minutes minutes={data.triggers_per_minute} />
            <OldestJob
              seconds={data.oldest_job_seconds}
              isSomethingWaiting={data.waiting_messages + data.waiting_triggers > 0}
            />
          </div>
        </>
      )}
    </>
  );
}

/** The numbers are those of the whole organization: a session of a project or an application may not see them. */
function Branch({ org, place }: { org: string; place: string }) {
  return (
    <>
      <div className="head">
        <h1>{text.pages.now}</h1>
      </div>
      <div className="empty card">
        <h2>{text.now.branchTitle}</h2>
        <p className="soft">{text.now.branch(place)}</p>
        <Link to="/o/$org/occurrences" params={{ org }} className="button primary">
          {text.now.branchLink}
        </Link>
      </div>
    </>
  );
}
