import type { OccurrenceDetail } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { carillon } from '../../../api/carillon';
import { useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import { localTimes } from '../../../components/local-times';
import { Problem } from '../../../components/problem';
import { Dialog } from '../../../form/dialog';
import { text } from '../../../text/text';
import { EVENT } from '../place';
import type { EventPlace } from '../place';

const AGAIN_MS = 1_000;
/** Of more messages, the users are not counted: one may get several. */
const COUNTED = 100;

const words = text.event.trigger.after;

interface Props {
  place: EventPlace;
  /** What the event is called. */
  event: string;
  occurrence: string;
  onClose: () => void;
}

/** What happens now that the event was triggered, and the way to the page that follows it. */
export function Triggered({ place, event, occurrence, onClose }: Props) {
  const mayFollow = useCan()('occurrence:read');
  return (
    <Dialog title={text.event.trigger.done(event)} open onClose={onClose}>
      {mayFollow ? <Outcome {...{ place, occurrence }} /> : <p>{words.hidden}</p>}
      <div className="actions">
        <button className="button" onClick={onClose}>
          {text.event.trigger.close}
        </button>
        {mayFollow && (
          <Link
            className="button primary"
            to="/o/$org/occurrences/$occurrence"
            params={{ org: place.org, occurrence }}
            search={{}}
          >
            {text.event.trigger.follow}
          </Link>
        )}
      </div>
    </Dialog>
  );
}

function Outcome({ place, occurrence }: Pick<Props, 'place' | 'occurrence'>) {
  const path = { org: place.org, occurrence };
  const { data, error } = useQuery({
    queryKey: ['triggered', place.org, occurrence],
    queryFn: ({ signal }) => carillon.get('/api/o/{org}/occurrences/{occurrence}/', { path, signal }),
    refetchInterval: ({ state }) => (state.data?.done ? false : AGAIN_MS),
  });
  const total = data?.counts.total ?? 0;
  const mayCount = useCan()('user:read') && data?.expanded_at != null && total > 0 && total <= COUNTED;
  const deliveries = useRead(
    '/api/o/{org}/occurrences/{occurrence}/deliveries/',
    { path, query: { limit: COUNTED } },
    { enabled: mayCount },
  ).data;
  const isOn = useRead(EVENT, { path: { ...place } }).data?.enabled ?? true;
  if (error && !data) return <Problem error={error} />;
  const sent = deliveries?.filter(({ status, user }) => status !== 'skipped' && user !== null);
  const users = sent && new Set(sent.map(({ user }) => user)).size;
  return (
    <div className="stack" role="status">
      <p>{data ? sentenceOf(data, users, isOn) : words.finding}</p>
      {data?.next_step_at && <p>{localTimes(words.nextStep(data.next_step_at))}</p>}
      {data && data.ended.length > 0 && <p>{words.ended}</p>}
      {data && data.warnings.length > 0 && (
        <ul className="note warn">
          {data.warnings.map(({ kind, detail }) => (
            <li key={kind}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `users`: how many get a message; undefined: it is not known. */
function sentenceOf(
  { status, counts, problem, send_at: at }: OccurrenceDetail,
  users: number | undefined,
  isOn: boolean,
): string {
  if (status === 'failed') return problem ?? words.failed;
  if (status === 'held') return words.held;
  if (status === 'canceled') return words.canceled;
  if (status !== 'expanded') {
    if (!isOn) return words.off;
    return at !== null && new Date(at).getTime() > Date.now() ? localTimes(words.scheduled(at)) : words.finding;
  }
  const messages = counts.total - counts.skipped;
  if (messages === 0) return words.nobody;
  const all = users ? words.toUsers(messages, users) : words.messages(messages);
  return [all, words.progress(counts.sent, counts.pending, counts.dead)].join(' ');
}
