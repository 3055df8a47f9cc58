import { useEffect, useState } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { useTree } from '../../api/tree';
import { localTimes } from '../../components/local-times';
import type { Finding } from './finding';

/** What the service is asked for waits until one pauses typing. */
const PAUSE_MS = 250;
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter text is in the data of nearly every occurrence. */
const SHORTEST = 3;

function usePaused(words: string): string {
  const [paused, setPaused] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return paused;
}

/** Users by the beginning of a name, e-mail or address; occurrences by their id, or by what their data has, such as an order number. */
export function useFound(org: string, words: string): { found: Finding[]; isSearching: boolean } {
  const can = useCan();
  const asked = usePaused(words);
  const asksPeople = words !== '' && asked !== '' && can('user:read');
  const path = { org };
  const people = useList('/api/o/{org}/u/', { path, query: { search: asked, limit: 8 } }, { enabled: asksPeople });
  const isId = ID.test(words);
  const asksData = words.length >= SHORTEST && asked.length >= SHORTEST && !isId && can('occurrence:read');
  const query = { context: asked.slice(0, 200), limit: 5 };
  const occurrences = useList('/api/o/{org}/occurrences/', { path, query }, { enabled: asksData });
  const names = useTree(org, asksData).data?.names;
  // An order number is looked for on purpose; a word may be anywhere.
  const isNumber = /\d/.test(words);
  const toOccurrence = (id: string) => ({
    to: '/o/$org/occurrences/$occurrence' as const,
    params: { org, occurrence: id.toLowerCase() },
    search: {},
  });
  const isOfWords = asked === words;
  return {
    isSearching: (asksPeople && people.isFetching) || (asksData && occurrences.isFetching) || !isOfWords,
    found: [
      ...(isId
        ? [{ id: words, kind: 'occurrence', icon: 'occurrences', label: words, does: toOccurrence(words) } as Finding]
        : []),
      ...(asksPeople && isOfWords ? (people.items ?? []) : []).map(
        ({ username, email, first_name, last_name }): Finding => ({
          ...{ id: `person-${username}`, kind: 'person', icon: 'people', rank: 1, hint: email || username },
          label: [first_name, last_name].filter(Boolean).join(' ') || username,
          does: { to: '/o/$org/people/$username', params: { org, username }, search: {} },
        }),
      ),
      ...(asksData && isOfWords ? (occurrences.items ?? []) : []).map(
        ({ id, project, application, event, created_at }): Finding => ({
          ...{ id, kind: 'occurrence', icon: 'occurrences', rank: 1, isLast: !isNumber },
          label: names?.[`${project}/${application}/${event}`] ?? event,
          hint: `${words}, ${localTimes(created_at)}`,
          does: toOccurrence(id),
        }),
      ),
    ],
  };
}
