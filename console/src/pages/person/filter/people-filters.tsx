import type { PreviewedAudience } from '@carillon/client';
import type { ChangeEvent } from 'react';
import { SearchBox } from '../../../form/search-box';

import { text } from '../../../text/text';
import { useLists } from '../import/use-lists';
import { FieldValue } from './field-value';
import { ORDERS } from './people-query';
import type { PeopleFilters as Filters } from './people-query';

interface Props {
  org: string;
  filters: Filters;
  /** The custom fields that users have. */
  known: PreviewedAudience['custom_fields'];
  onChange: (filters: Filters) => void;
}

const KINDS = ['phone', 'email'];

/** The filters live in the address, so that a link shows the same users. */
export function PeopleFilters({ org, filters, known, onChange }: Props) {
  const lists = useLists(org);
  const set = (changed: Filters) => onChange({ ...filters, ...changed });
  const choose = (name: keyof Filters) => (event: ChangeEvent<HTMLSelectElement>) =>
    set({ [name]: event.target.value || undefined });
  const fields = names(
    known.map(({ name }) => name),
    filters.field,
  );
  return (
    <div className="filters" role="search">
      <SearchBox
        label={text.person.search}
        className="input wide"
        value={filters.search}
        maxLength={100}
        onSearch={(search) => set({ search })}
      />
      {fields.length > 0 && (
        <select
          className="input"
          aria-label={text.people.field}
          value={filters.field ?? ''}
          onChange={({ target }) => set({ field: target.value || undefined, is: undefined })}
        >
          <option value="">{text.people.anyField}</option>
          {fields.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {filters.field && (
        <FieldValue
          key={filters.field}
          field={filters.field}
          value={filters.is}
          examples={known.find(({ name }) => name === filters.field)?.examples ?? []}
          onChange={(is) => set({ is })}
        />
      )}
      {(lists.length > 0 || filters.list) && (
        <select className="input" aria-label={text.people.list} value={filters.list ?? ''} onChange={choose('list')}>
          <option value="">{text.people.anyList}</option>
          {lists.map(({ id, project, name }) => (
            <option key={id} value={id}>{`${project}/${name}`}</option>
          ))}
        </select>
      )}
      <select
        className="input"
        aria-label={text.people.address}
        value={filters.address ?? ''}
        onChange={choose('address')}
      >
        <option value="">{text.people.anyAddress}</option>
        {names(KINDS, filters.address?.replace(/^-/, '')).flatMap((kind) => [
          <option key={kind} value={kind}>
            {text.people.has(kind)}
          </option>,
          <option key={`-${kind}`} value={`-${kind}`}>
            {text.people.hasNot(kind)}
          </option>,
        ])}
      </select>
      <SearchBox
        label={text.people.locale}
        data-filter={undefined}
        maxLength={35}
        value={filters.locale}
        onSearch={(locale) => set({ locale })}
      />
      <select className="input" aria-label={text.people.order} value={filters.order ?? ''} onChange={choose('order')}>
        <option value="">{text.people.orders.id}</option>
        {ORDERS.map((order) => (
          <option key={order} value={order}>
            {text.people.orders[order]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Those that are known, and the chosen one. */
const names = (known: string[], chosen: string | undefined) =>
  chosen && !known.includes(chosen) ? [...known, chosen] : known;
