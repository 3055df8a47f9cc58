import type { AuditEntry } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { linkTo } from '../layout/place';

/** The name of what was changed. It is a link if the thing has a page and was not deleted. */
export function NamedThing({ org, entry: { noun, verb }, name }: { org: string; entry: AuditEntry; name: string }) {
  const parts = name.split('/');
  const last = parts.at(-1)!;
  // A deleted user appears as `[user 17]`.
  if (verb === 'delete' || name.includes('[')) return <code>{name}</code>;
  const username = noun === 'user' || noun === 'address' ? parts[0]! : last;
  if (['user', 'address', 'member', 'preference'].includes(noun))
    return (
      <Link to="/o/$org/people/$username" params={{ org, username }} search={{}}>
        {name}
      </Link>
    );
  if (noun === 'occurrence')
    return (
      <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: last }} search={{}}>
        {name}
      </Link>
    );
  if (noun === 'channel')
    return (
      <Link
        to="/o/$org/channels/$prj/$channel"
        params={{ org, prj: parts.length > 1 ? parts[0]! : '-', channel: last }}
      >
        {name}
      </Link>
    );
  if (['event', 'notification', 'notification list', 'template'].includes(noun) && parts.length >= 3)
    return (
      <Link
        to="/o/$org/events/$prj/$app/$evt"
        params={{ org, prj: parts[0]!, app: parts[1]!, evt: parts[2]! }}
        search={{}}
      >
        {name}
      </Link>
    );
  if (noun === 'distribution list')
    return (
      <Link to="/o/$org/lists" params={{ org }} search={{ project: parts[0], search: parts.slice(1).join('/') }}>
        {name}
      </Link>
    );
  if (noun === 'category')
    return (
      <Link to="/o/$org/categories" params={{ org }} search={{ project: parts[0], search: last }}>
        {name}
      </Link>
    );
  if (noun === 'layout' || noun === 'partial')
    return (
      <Link {...linkTo({ org, prj: parts.length > 1 ? parts[0]! : null, kind: noun, slug: last })} search={{}}>
        {name}
      </Link>
    );
  if (noun === 'suppression')
    return (
      <Link to="/o/$org/suppressions" params={{ org }} search={{ address: parts.slice(1).join('/') }}>
        {name}
      </Link>
    );
  if (noun === 'API key')
    return (
      <Link to="/o/$org/keys" params={{ org }}>
        {name}
      </Link>
    );
  return <code>{name}</code>;
}
