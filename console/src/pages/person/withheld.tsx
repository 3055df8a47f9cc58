import type { Withheld as Item } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/read';
import { CopyCurl } from '../../components/curl';
import { Table } from '../../components/table';
import { text } from '../../text/text';
import { HistoryEntry, WHEN } from './history-entry';

/** What a user was not sent because a rule applied to nobody: there is no delivery of it. */
export function Withheld({ org, username }: { org: string; username: string }) {
  const path = { org, username };
  const list = useList('/api/o/{org}/u/{username}/withheld/', { path, query: { limit: 20 } }, { poll: true });
  return (
    <section className="stack" aria-label={text.person.withheld}>
      <div className="row">
        <h2>{text.person.withheld}</h2>
        <CopyCurl call={{ path: `/api/o/${org}/u/${encodeURIComponent(username)}/withheld/?limit=20` }} />
      </div>
      <p className="soft">
        {text.person.withheldHint}{' '}
        <Link to="/o/$org/people/$username" params={{ org, username }} search={{ tab: 'why' }}>
          {text.person.withheldMore}
        </Link>
      </p>
      <Table
        label={text.person.withheld}
        list={list}
        keyOf={({ occurrence }) => occurrence}
        columns={columnsOf(org, username)}
        empty={<p className="soft">{text.person.withheldNone}</p>}
      />
    </section>
  );
}

const columnsOf = (org: string, username: string) => [
  {
    name: text.person.what,
    kind: 'main' as const,
    cell: (item: Item) => (
      <HistoryEntry org={org} username={username} item={item} title={item.notifications.join(', ')} />
    ),
  },
  WHEN,
];
