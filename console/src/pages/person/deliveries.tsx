import type { UserDelivery } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/read';
import { Status } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { ChannelLink } from '../../components/links';
import { Table } from '../../components/table';
import { text } from '../../text/text';
import { HistoryEntry, WHEN } from './history-entry';
import { Withheld } from './withheld';

const route = getRouteApi('/o/$org/people/$username');
const STATUSES = ['sent', 'skipped', 'dead', 'pending'] as const;

/** What a user was sent, and what not and why. */
export function Deliveries({ org, username }: { org: string; username: string }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const known = STATUSES.find((each) => each === status);
  const path = { org, username };
  const list = useList(
    '/api/o/{org}/u/{username}/deliveries/',
    { path, query: { status: known } },
    { poll: true, keep: true },
  );
  const query = known ? `?limit=50&status=${known}` : '?limit=50';
  return (
    <section className="stack" aria-label={text.person.deliveries}>
      <div className="row">
        <select
          className="input person-status"
          aria-label={text.person.status}
          data-filter
          value={known ?? ''}
          onChange={({ target }) => void navigate({ search: { status: target.value || undefined }, replace: true })}
        >
          <option value="">{text.person.everyStatus}</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {text.person.statuses[each]}
            </option>
          ))}
        </select>
        <MoreMenu
          live={list.error ? 'lost' : 'polled'}
          call={{ path: `/api/o/${org}/u/${encodeURIComponent(username)}/deliveries/${query}` }}
        />
      </div>
      <Table
        label={text.person.deliveries}
        list={list}
        keyOf={({ id }) => id}
        columns={columnsOf(org, username)}
        empty={<NoDeliveries org={org} username={username} />}
      />
      {(known === undefined || known === 'skipped') && <Withheld org={org} username={username} />}
    </section>
  );
}

function NoDeliveries({ org, username }: { org: string; username: string }) {
  const action = (
    <Link className="button" to="/o/$org/people/$username" params={{ org, username }} search={{ tab: 'why' }}>
      {text.person.whyTab}
    </Link>
  );
  return (
    <Empty title={text.person.noDeliveries} action={action}>
      {text.person.noDeliveriesHint}
    </Empty>
  );
}

const columnsOf = (org: string, username: string) => [
  {
    name: text.person.what,
    kind: 'main' as const,
    cell: (delivery: UserDelivery) => {
      const { notification, status, project, channel, attempts } = delivery;
      return (
        <HistoryEntry
          org={org}
          username={username}
          item={delivery}
          title={notification}
          notification={notification}
          isQuiet={status === 'sent'}
        >
          {' · '}
          <ChannelLink org={org} project={project} slug={channel} />
          {attempts.length > 1 && ` · ${text.person.attempts(attempts.length)}`}
        </HistoryEntry>
      );
    },
  },
  {
    name: text.person.status,
    kind: 'narrow' as const,
    cell: ({ status }: UserDelivery) => <Status status={status} />,
  },
  WHEN,
];
