import type { ExplainedUser, OccurrenceDetail } from '@carillon/client';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { useList, useRead } from '../../../api/read';
import { Problem } from '../../../components/problem';
import { Rows } from '../../../components/skeleton';
import { text } from '../../../text/text';
import { Explanation } from './explanation';

const route = getRouteApi('/o/$org/occurrences/$occurrence');
const SHOWN = 5;

/** "Why did Ann (not) get it?" The user is in the address, so that other pages can link to the answer. */
export function Why({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { user } = filters;
  const ask = (username: string) =>
    void navigate({ to: '.', search: { ...filters, user: username }, resetScroll: false });
  return (
    <section className="card why" aria-labelledby="why">
      <h2 id="why">{text.why.title}</h2>
      <AskForm org={org} asked={user ?? ''} ask={ask} />
      {user && <Answer org={org} occurrence={occurrence} user={user} />}
    </section>
  );
}

/** Enter takes the first user that is found, so the beginning of a name is enough. */
function AskForm({ org, asked, ask }: { org: string; asked: string; ask: (username: string) => void }) {
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  const words = useDeferredValue(typed.trim());
  const isSearching = words !== '' && words !== asked;
  const people = useList(
    '/api/o/{org}/u/',
    { path: { org }, query: { search: words, limit: SHOWN } },
    { enabled: isSearching },
  );
  const found = isSearching ? people.items : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    const name = typed.trim();
    const isKnown = words === name && found?.some(({ username }) => username === name.toLowerCase());
    if (name) ask(isKnown || words !== name ? name : (found?.[0]?.username ?? name));
  }
  return (
    <form className="stack" onSubmit={submit} role="search">
      <div className="ask">
        <input
          className="input"
          data-filter
          aria-label={text.why.person}
          aria-describedby="why-hint"
          placeholder={text.why.hint}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button className="button primary">{text.why.ask}</button>
      </div>
      <span id="why-hint" className="hidden">
        {text.why.hint}
      </span>
      {found && (
        <ul className="found" aria-label={text.why.found}>
          {found.length === 0 && <li className="soft">{text.why.nobody}</li>}
          {found.map(({ username, first_name, last_name }) => (
            <li key={username}>
              <button type="button" className="button small" onClick={() => ask(username)}>
                {[first_name, last_name].filter(Boolean).join(' ')} <span className="soft">{username}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function Answer({ org, occurrence, user }: { org: string; occurrence: OccurrenceDetail; user: string }) {
  const input = { path: { org, occurrence: occurrence.id }, query: { user } };
  const { data, error, refetch } = useRead('/api/o/{org}/occurrences/{occurrence}/explain/', input, {
    poll: !occurrence.done,
  });
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Rows count={4} />;
  return <Explanation org={org} occurrence={occurrence} person={data as ExplainedUser} />;
}
