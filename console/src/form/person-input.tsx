import { useDeferredValue, useId } from 'react';
import type { InputHTMLAttributes } from 'react';
import { useList } from '../api/read';
import { useCan } from '../api/session';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  org: string;
  value: string;
  onType: (value: string) => void;
};

/** The users whom the words find. */
export function usePeople(org: string, typed: string) {
  const isAllowed = useCan()('user:read');
  const words = useDeferredValue(typed.trim());
  const query = { search: words, limit: 8 };
  return useList('/api/o/{org}/u/', { path: { org }, query }, { enabled: isAllowed && words !== '' }).items ?? [];
}

/** A username, with suggestions by name, e-mail or address. */
export function PersonInput({ org, value, onType, ...input }: Props) {
  const id = useId();
  const people = usePeople(org, value);
  return (
    <>
      <input
        {...input}
        className="input"
        list={id}
        value={value}
        onChange={(change) => onType(change.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {people.map(({ username, first_name, last_name }) => (
          <option key={username} value={username}>
            {[first_name, last_name].filter(Boolean).join(' ')}
          </option>
        ))}
      </datalist>
    </>
  );
}
