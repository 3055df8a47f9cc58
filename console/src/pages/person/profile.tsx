import type { Membership } from '@carillon/client';
import { Fragment } from 'react';
import { useRead } from '../../api/read';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { CustomFields } from './field/custom-fields';

/** What audiences and templates use of a user, and the lists that the user is on. */
export function Profile({ org, username }: { org: string; username: string }) {
  const path = { org, email: username };
  const { data, error, refetch } = useRead('/api/o/{org}/users/{email}/', { path }, { poll: true });
  return (
    <>
      {data ? (
        <CustomFields org={org} username={username} profile={data} />
      ) : (
        <section className="card stack">
          <h2>{text.person.customFields}</h2>
          {error ? <Problem error={error} again={() => void refetch()} /> : <Rows count={2} />}
        </section>
      )}
      {data?.memberships && (
        <section className="card stack">
          <h2>{text.person.lists}</h2>
          <Lists org={org} memberships={data.memberships} />
        </section>
      )}
    </>
  );
}

function Lists({ org, memberships }: { org: string; memberships: Membership[] }) {
  const nameOf = useProjectNames(org);
  if (memberships.length === 0) return <p className="soft">{text.person.noLists}</p>;
  return (
    <dl className="facts">
      {memberships.map(({ project, distribution_list, address, channel, active }) => (
        <Fragment key={`${project}/${distribution_list}/${address.name}/${address.value}`}>
          <dt>
            {distribution_list} <span>({nameOf(project)})</span>
          </dt>
          <dd>
            {address.value}
            {channel !== null && `, ${text.person.over(channel)}`}
            {!active && <span className="soft"> {text.person.inactive}</span>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
