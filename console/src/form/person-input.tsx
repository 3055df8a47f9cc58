import { useDeferredValue } from 'react';
import { useList } from '../api/read';
import { useCan } from '../api/session';
import { SuggestInput } from './suggest-input';
import type { SuggestInputProps } from './suggest-input';

/** The users whom the words find. */
export function usePeople(org: string, typed: string) {
  const isAllowed = useCan()('user:read');
  const words = useDeferredValue(typed.trim());
  const query = { search: words, limit: 8 };
  return useList('/api/o/{org}/u/', { path: { org }, query }, { enabled: isAllowed && words !== '' }).items ?? [];
}

/** A username, with suggestions by name, e-mail or address. */
export function PersonInput({ org, ...input }: SuggestInputProps & { org: string }) {
  const people = usePeople(org, input.value);
  return (
    <SuggestInput {...input}>
      {people.map(({ username, first_name, last_name }) => (
        <option key={username} value={username}>
          {[first_name, last_name].filter(Boolean).join(' ')}
        </option>
      ))}
    </SuggestInput>
  );
}
