import { useDeferredValue, useEffect, useId, useState } from 'react';
import type { FormEvent } from 'react';
import { useList } from '../../api/read';
import { text } from '../../text/text';

const SHOWN = 5;

interface Props {
  org: string;
  /** The user who was chosen last. */
  asked: string;
  ask: (username: string) => void;
  /** Of the button. */
  label: string;
  /** Whether the button is the main one around it. */
  isPrimary?: boolean;
}

/** Enter takes the first user that is found, so the beginning of a name is enough. */
export function AskUser({ org, asked, ask, label, isPrimary }: Props) {
  const hint = useId();
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
          aria-describedby={hint}
          placeholder={text.why.hint}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button className={isPrimary ? 'button primary' : 'button'}>{label}</button>
      </div>
      <span id={hint} className="hidden">
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
