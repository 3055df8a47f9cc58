import { Autocomplete } from '@base-ui/react/autocomplete';
import { useDeferredValue, useState } from 'react';
import { useList } from '../api/read';
import { useCan } from '../api/session';
import { text } from '../text/text';
import type { SuggestInputProps } from './suggest-input';

/** The users whom the words find, as on the page Users. */
export function usePeople(org: string, typed: string) {
  const isAllowed = useCan()('user:read');
  const words = useDeferredValue(typed.trim());
  const query = { search: words, limit: 8 };
  return useList('/api/o/{org}/u/', { path: { org }, query }, { enabled: isAllowed && words !== '' }).items ?? [];
}

interface Names {
  username: string;
  first_name: string;
  last_name: string;
}

export const fullName = ({ first_name: first, last_name: last }: Names) => [first, last].filter(Boolean).join(' ');

interface Props extends SuggestInputProps {
  org: string;
  /** Gets a user who is chosen, in place of `onType`. */
  onPick?: (username: string) => void;
}

/** A username, found by a name, an e-mail or an address. Enter takes the first user who is found. */
export function PersonInput({ org, value, onType, onPick, ...input }: Props) {
  const [isOpen, setOpen] = useState(false);
  const people = usePeople(org, value);
  // A whole username needs no choice: Enter then belongs to the form.
  const found = people.some(({ username }) => username === value.trim()) ? [] : people;
  return (
    <Autocomplete.Root
      items={found}
      // Without users there is no list that the field could name as its own.
      open={isOpen && found.length > 0}
      onOpenChange={setOpen}
      mode="none"
      value={value}
      onValueChange={(typed, { reason }) => (reason === 'item-press' && onPick ? onPick(typed) : onType(typed))}
      itemToStringValue={({ username }) => username}
      autoHighlight
    >
      <Autocomplete.Input {...input} className="input" spellCheck={false} />
      {found.length > 0 && (
        <Autocomplete.Portal>
          <Autocomplete.Positioner className="menu-place" sideOffset={4} collisionPadding={8} align="start">
            <Autocomplete.Popup className="menu pick-list">
              <Autocomplete.List aria-label={text.why.found}>
                {(user: (typeof found)[number]) => (
                  <Autocomplete.Item key={user.username} value={user} className="menu-item">
                    <span>
                      {fullName(user)} <span className="soft">{user.username}</span>
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      )}
    </Autocomplete.Root>
  );
}
