import type { PlacedOccurrence } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useList, useRead } from '../../api/read';
import { useTree } from '../../api/tree';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { Empty } from '../../components/empty';
import { localTimes } from '../../components/local-times';
import { PathName } from '../../components/links';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { SearchBox } from '../../form/search-box';
import { SuggestInput } from '../../form/suggest-input';
import { text } from '../../text/text';
import { AgainButton } from '../occurrence/again/again-button';

const route = getRouteApi('/o/$org/people/$username');
const OCCURRENCES = '/api/o/{org}/occurrences/';
/** Each of them is explained by a call of its own. */
const AT_ONCE = 10;

const isEvent = (path: string | undefined) => path !== undefined && /^[^/]+\/[^/]+\/[^/]+$/.test(path);

/**
 * The latest occurrences, whether a notification of them was for this user or not, each with the answer of explain. One that is about an order
 * is found by a text of its context.
 */
export function WhyTab({ org, username }: { org: string; username: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { about, event } = search;
  const events = useTree(org).data?.events ?? [];
  const query = { limit: AT_ONCE, context: about, event: isEvent(event) ? event : undefined };
  const list = useList(OCCURRENCES, { path: { org }, query }, { keep: true });
  const set = (changed: typeof search) => void navigate({ search: { ...search, ...changed }, replace: true });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return (
    <section className="stack" aria-label={text.person.whyTab}>
      <p className="soft">{text.person.whyHint}</p>
      <div className="filters" role="search">
        <SearchBox
          label={text.person.about}
          className="input wide"
          maxLength={100}
          value={about}
          onSearch={(words) => set({ about: words })}
        />
        <SuggestInput
          aria-label={text.occurrences.event}
          placeholder={text.occurrences.anyEvent}
          value={event ?? ''}
          onType={(path) => set({ event: path || undefined })}
        >
          {events.map((path) => (
            <option key={path} value={path} />
          ))}
        </SuggestInput>
        <CopyCurl
          call={{ path: `/api/o/${org}/occurrences/?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` }}
        />
      </div>
      <Table
        label={text.person.whyTab}
        list={list}
        keyOf={({ id }) => id}
        columns={columnsOf(org, username)}
        empty={<Empty title={text.person.noOccurrence}>{text.person.noOccurrenceHint}</Empty>}
      />
    </section>
  );
}

const columnsOf = (org: string, username: string) => [
  {
    name: text.person.what,
    kind: 'main' as const,
    cell: (occurrence: PlacedOccurrence) => <Answer org={org} username={username} occurrence={occurrence} />,
  },
  {
    name: text.person.when,
    kind: 'narrow' as const,
    cell: ({ created_at }: PlacedOccurrence) => <Time at={created_at} />,
  },
];

const TONES = { sent: 'good', waiting: 'accent', dead: 'bad', not_sent: 'idle' } as const;

interface AnswerProps {
  org: string;
  username: string;
  occurrence: PlacedOccurrence;
}

function Answer({ org, username, occurrence }: AnswerProps) {
  const input = { path: { org, occurrence: occurrence.id }, query: { user: username } };
  const { data, error } = useRead('/api/o/{org}/occurrences/{occurrence}/explain/', input);
  const name = [occurrence.project, occurrence.application, occurrence.event].join('/');
  const outcome = data && 'outcome' in data ? data.outcome : undefined;
  return (
    <div className="person-delivery">
      <span className="place">
        <Link
          to="/o/$org/occurrences/$occurrence"
          params={{ org, occurrence: occurrence.id }}
          search={{ user: username }}
          title={text.person.openOccurrence}
        >
          <PathName org={org} path={name} />
        </Link>
        {outcome && <Badge tone={TONES[outcome]}>{text.why.outcomes[outcome]}</Badge>}
      </span>
      {error && <span className="soft">{error.message}</span>}
      {!data && !error && <span className="skeleton" />}
      {data && <span>{localTimes(data.sentence)}</span>}
      <span>
        <AgainButton org={org} place={{ ...occurrence, occurrence: occurrence.id }} username={username} about={name} />
      </span>
    </div>
  );
}
