import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ChangeEvent } from 'react';
import { useTree } from '../../api/tree';
import { text } from '../../text/text';
import { STATUSES } from './occurrence-query';
import type { Filters } from './occurrence-query';

const TYPING_MS = 300;

/** The filters live in the address, so that a link shows the same rows. */
export function OccurrenceFilters({ org, filters }: { org: string; filters: Filters }) {
  const navigate = useNavigate();
  const events = useTree(org).data?.events ?? [];
  const set = (changed: Filters) =>
    void navigate({ to: '/o/$org/occurrences', params: { org }, search: { ...filters, ...changed }, replace: true });
  const onChange = (name: string) => (event: ChangeEvent<HTMLSelectElement | HTMLInputElement>) =>
    set({ [name]: event.target.value || undefined });
  const isRange = filters.time === 'range' || (!filters.time && !!(filters.since || filters.until));
  // An event of the address that the list lacks is still shown: it may have been deleted.
  const known = filters.event && !events.includes(filters.event) ? [filters.event, ...events] : events;
  return (
    <div className="stack">
      <div className="filters" role="search">
        <ContextFilter value={filters.context ?? ''} set={(context) => set({ context })} />
        <select
          className="input"
          aria-label={text.occurrences.event}
          value={filters.event ?? ''}
          onChange={onChange('event')}
        >
          <option value="">{text.occurrences.anyEvent}</option>
          {known.map((path) => (
            <option key={path}>{path}</option>
          ))}
        </select>
        <select
          className="input"
          aria-label={text.occurrences.status}
          value={filters.status ?? ''}
          onChange={onChange('status')}
        >
          <option value="">{text.occurrences.anyStatus}</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
        <select
          className="input"
          aria-label={text.occurrences.time}
          value={isRange ? 'range' : (filters.time ?? '')}
          onChange={(event) => set({ time: event.target.value || undefined, since: undefined, until: undefined })}
        >
          {Object.entries(text.occurrences.times).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {isRange &&
          (['since', 'until'] as const).map((end) => (
            <input
              key={end}
              type="datetime-local"
              className="input"
              aria-label={text.occurrences[end]}
              title={text.occurrences[end]}
              value={filters[end] ?? ''}
              onChange={onChange(end)}
            />
          ))}
      </div>
      <p className="soft">{text.occurrences.personHint}</p>
    </div>
  );
}

/** It asks when the typing pauses: each search looks through thousands of occurrences. */
function ContextFilter({ value, set }: { value: string; set: (context: string | undefined) => void }) {
  const [typed, setTyped] = useState(value);
  const own = useRef(value);
  useEffect(() => {
    // The address was changed by somebody else: by a link, or by "back".
    if (value !== own.current) setTyped(value);
    own.current = value;
  }, [value]);
  useEffect(() => {
    const words = typed.trim();
    if (words === own.current) return;
    const timer = setTimeout(() => {
      own.current = words;
      set(words || undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing starts the wait
  }, [typed]);
  return (
    <input
      className="input wide"
      type="search"
      data-filter
      maxLength={100}
      aria-label={text.occurrences.context}
      placeholder={text.occurrences.contextHint}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
