import { Link, getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useSession } from '../../api/session';
import { Empty } from '../../components/empty';
import { MoreMenu } from '../../components/more-menu';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { AlertsButton } from './alerts-button';
import { Minutes } from './minutes';
import { Needs } from './needs';
import { OldestJob } from './oldest-job';
import { SendingNow } from './sending';
import { Start } from './start/start';
import { useStart } from './start/use-start';
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
  const start = useStart(org);
  return (
    <>
      <div className="head">
        <h1>{text.pages.now}</h1>
        <MoreMenu live={error ? 'lost' : 'polled'} call={{ path: `/api/o/${org}/summary/` }} />
        <AlertsButton org={org} />
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {(!data || start.isReading) && !error && <Rows count={8} />}
      {data && !start.isReading && (
        <>
          {start.isShown && start.triggered && <Start org={org} triggered={start.triggered} hide={start.hide} />}
          <Needs
            org={org}
            summary={data}
            calm={start.isShown ? null : start.isEmpty ? <Nothing {...start} /> : <Calm />}
          />
          {data.sending.length > 0 && <SendingNow org={org} sending={data.sending} />}
          {data.waiting.length > 0 && <WaitingNow org={org} waiting={data.waiting} />}
          {!start.isEmpty && (
            <div className="now-flow">
              <Minutes minutes={data.triggers_per_minute} />
              <OldestJob
                seconds={data.oldest_job_seconds}
                isSomethingWaiting={data.waiting_messages + data.waiting_triggers > 0}
              />
            </div>
          )}
        </>
      )}
    </>
  );
}

const Calm = () => (
  <div className="calm" role="status">
    <h2>{text.now.calm}</h2>
    <p className="soft">{text.now.calmHint}</p>
  </div>
);

/** An organization in which nothing has happened yet is not well, only empty. */
function Nothing({ mayShow, show }: { mayShow: boolean; show: () => void }) {
  return (
    <Empty
      title={text.start.nothing}
      action={
        mayShow && (
          <button className="button primary" onClick={show}>
            {text.start.show}
          </button>
        )
      }
    >
      {text.start.nothingHint}
    </Empty>
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
