import { useEffect, useState } from 'react';
import type { InputHTMLAttributes } from 'react';

const PAUSE_MS = 250;

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  label: string;
  /** What is searched for now, from the address of the page. */
  value: string | undefined;
  onSearch: (words: string | undefined) => void;
};

/** Searches while one types, after a short pause. `/` leads here. */
export function SearchBox({ label, value = '', onSearch, className = 'input', ...input }: Props) {
  const [typed, setTyped] = useState(value);
  const [searched, setSearched] = useState(value);
  // Another value in the address, as after "back", wins over what was typed.
  if (searched !== value) {
    setSearched(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onSearch(typed.trim() || undefined), PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing starts a search
  }, [typed]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      data-filter
      spellCheck={false}
      autoComplete="off"
      {...input}
      className={className}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
