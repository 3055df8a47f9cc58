import type { NavigateOptions } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useList } from '../api/read';
import { useCan } from '../api/session';
import { text } from '../text/text';
import { PAGES } from './pages';

export interface Finding {
  id: string;
  kind: string;
  label: string;
  hint?: string;
  target: NavigateOptions;
}

const OCCURRENCE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What the words lead to: an occurrence by its id, pages by their name, users by the beginning of a name, e-mail or address. */
export function useFindings(org: string, typed: string): { findings: Finding[]; isSearching: boolean } {
  const can = useCan();
  const words = useDeferredValue(typed.trim());
  const asksPeople = words.length > 0 && can('user:read');
  const people = useList(
    '/api/o/{org}/u/',
    { path: { org }, query: { search: words, limit: 8 } },
    { enabled: asksPeople },
  );
  const pages = PAGES.filter(({ needs, label }) => can(needs) && label.toLowerCase().includes(words.toLowerCase()));
  return {
    isSearching: people.isFetching,
    findings: [
      ...(OCCURRENCE.test(words) ? [occurrence(org, words)] : []),
      ...(asksPeople ? (people.items ?? []) : []).map(({ username, email, first_name, last_name }) => ({
        id: `person-${username}`,
        kind: text.palette.person,
        label: [first_name, last_name].filter(Boolean).join(' ') || username,
        hint: email || username,
        target: { to: '/o/$org/people/$username', params: { org, username } } as NavigateOptions,
      })),
      ...pages.map(({ to, label }) => ({
        id: `page-${label}`,
        kind: text.palette.page,
        label,
        target: { to, params: { org } } as NavigateOptions,
      })),
    ],
  };
}

const occurrence = (org: string, id: string): Finding => ({
  id: `occurrence-${id}`,
  kind: text.palette.occurrence,
  label: id,
  target: { to: '/o/$org/occurrences/$occurrence', params: { org, occurrence: id.toLowerCase() } } as NavigateOptions,
});
