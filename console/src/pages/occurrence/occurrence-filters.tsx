import { Link, useNavigate } from '@tanstack/react-router';
import type { ChangeEvent } from 'react';
import { useCan } from '../../api/session';
import { EventPick } from '../../form/event-pick';
import { SearchBox } from '../../form/search-box';
import { text } from '../../text/text';
import { MessageFilter } from './message-filter';
import { STATUSES } from './occurrence-query';
import type { Filters } from './occurrence-query';

/** The filters live in the address, so that a link shows the same rows. */
export function OccurrenceFilters({ org, filters }: { org: string; filters: Filters }) {
  const can = useCan();
  const navigate = useNavigate();
  const set = (changed: Filters) =>
    void navigate({ to: '/o/$org/occurrences', params: { org }, search: { ...filters, ...changed }, replace: true });
  const onChange = (name: string) => (event: ChangeEvent<HTMLSelectElement | HTMLInputElement>) =>
    set({ [name]: event.target.value || undefined });
  const isRange = filters.time === 'range' || (!filters.time && !!(filters.since || filters.until));
  return (
    <div className="stack">
      <div className="filters" role="search">
        <SearchBox
          label={text.occurrences.context}
          placeholder={text.occurrences.contextHint}
          className="input wide"
          maxLength={100}
          value={filters.context}
          onSearch={(context) => set({ context })}
        />
        <EventPick org={org} chosen={filters.event} onChoose={(event) => set({ event })} />
        <select
          className="input"
          aria-label={text.occurrences.status}
          value={filters.status ?? ''}
          onChange={onChange('status')}
        >
          <option value="">{text.occurrences.anyStatus}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status] ?? status}
            </option>
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
        <button
          type="button"
          className="button only-open"
          title={text.occurrences.onlyOpenHint}
          aria-pressed={filters.open === '1'}
          onClick={() => set({ open: filters.open === '1' ? undefined : '1' })}
        >
          {text.occurrences.onlyOpen}
        </button>
      </div>
      <MessageFilter org={org} filters={filters} />
      {can('user:read') && (
        <p className="soft">
          {text.occurrences.personHint}{' '}
          <Link to="/o/$org/people" params={{ org }} search={{}}>
            {text.pages.people}
          </Link>
        </p>
      )}
    </div>
  );
}
