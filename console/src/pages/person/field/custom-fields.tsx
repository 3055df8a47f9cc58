import type { UserProfile } from '@carillon/client';
import { Fragment, useState } from 'react';
import { useCan } from '../../../api/session';
import { text } from '../../../text/text';
import { kindOf } from './field-rows';
import { FieldsDialog } from './fields-dialog';

interface Props {
  org: string;
  username: string;
  profile: UserProfile;
}

/** What conditions, audiences and templates know of a user. */
export function CustomFields({ org, username, profile }: Props) {
  const can = useCan();
  const [isChanging, setChanging] = useState(false);
  const fields = Object.entries(profile.custom_fields);
  return (
    <section className="card stack">
      <div className="row card-head">
        <h2>{text.person.customFields}</h2>
        {can('user:write', 'organization') && (
          <button className="button small" onClick={() => setChanging(true)}>
            {text.person.change}
            <span className="hidden"> {text.person.customFields}</span>
          </button>
        )}
      </div>
      {fields.length === 0 && <p className="soft">{text.person.noCustomFields}</p>}
      <dl className="facts">
        {fields.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {isChanging && (
        <FieldsDialog org={org} username={username} profile={profile} onClose={() => setChanging(false)} />
      )}
    </section>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const kind = kindOf(value);
  if (kind === 'yes_no') return value ? text.field.yes : text.field.no;
  if (kind !== 'json') return String(value);
  return (
    <details>
      <summary>{text.field.nested}</summary>
      <pre className="json" tabIndex={0} aria-label={name}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
