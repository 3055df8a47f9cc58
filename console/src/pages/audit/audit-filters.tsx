import { getRouteApi } from '@tanstack/react-router';
import { MomentInput } from '../../form/moment-input';
import { SearchBox } from '../../form/search-box';
import { text } from '../../text/text';
import { NOUNS } from './nouns';

const route = getRouteApi('/o/$org/audit');

/** The filters live in the address of the page. */
export function AuditFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (name: string) => (value: string | undefined) =>
    void navigate({ search: { ...search, [name]: value }, replace: true });
  const { noun = '', actor, name, since, until } = search;
  return (
    <div className="filters audit-filters">
      <label>
        <span className="soft">{text.audit.name}</span>
        <SearchBox
          label={text.audit.name}
          placeholder={text.audit.namePlaceholder}
          value={name}
          onSearch={set('name')}
        />
      </label>
      <label>
        <span className="soft">{text.audit.noun}</span>
        <select className="input" value={noun} onChange={({ target }) => set('noun')(target.value || undefined)}>
          <option value="">{text.audit.everyNoun}</option>
          {[...new Set([...NOUNS, ...(noun ? [noun] : [])])].map((each) => (
            <option key={each} value={each}>
              {text.audit.nameOf(each)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="soft">{text.audit.actor}</span>
        <SearchBox
          label={text.audit.actor}
          placeholder={text.audit.actorPlaceholder}
          value={actor}
          onSearch={set('actor')}
        />
      </label>
      <label>
        <span className="soft">{text.audit.since}</span>
        <MomentInput value={since} onChange={set('since')} />
      </label>
      <label>
        <span className="soft">{text.audit.until}</span>
        <MomentInput value={until} onChange={set('until')} />
      </label>
    </div>
  );
}
