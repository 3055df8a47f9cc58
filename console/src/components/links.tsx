import { Link } from '@tanstack/react-router';
import { useChannelNamed, useEventNames, usePathName } from '../api/names';
import { useList } from '../api/read';
import { useCan } from '../api/session';
import { text } from '../text/text';

interface Place {
  project: string;
  application: string;
  event: string;
}

/** The name of an event, and where it stands. */
export function EventLink({ org, place }: { org: string; place: Place }) {
  const can = useCan();
  const names = useEventNames(org, place);
  const { project: prj, application: app, event: evt } = place;
  return (
    <span>
      {can('event:list') ? (
        <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj, app, evt }} title={`${prj}/${app}/${evt}`}>
          {names.event}
        </Link>
      ) : (
        names.event
      )}{' '}
      <span className="soft">{names.place}</span>
    </span>
  );
}

export function PersonLink({ org, username, children }: { org: string; username: string; children?: string }) {
  const can = useCan();
  if (!can('user:read')) return <span className="soft">{text.links.hiddenPerson}</span>;
  return (
    <Link to="/o/$org/people/$username" params={{ org, username }}>
      {children ?? username}
    </Link>
  );
}

/** A channel that an event of `project` names by its slug: the project's own one comes first, then the organization's. */
export function ChannelLink({ org, project, slug }: { org: string; project: string; slug: string | null }) {
  const found = useChannelNamed(org, project, slug);
  if (slug === null) return <span className="soft">{text.links.deletedChannel}</span>;
  if (!found) return <span>{slug}</span>;
  return (
    <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: found.project ?? '-', channel: slug }} title={slug}>
      {found.name}
    </Link>
  );
}

/** The name of the event of a path such as `shop/web/order-paid`. */
export function PathName({ org, path }: { org: string; path: string }) {
  return <span title={path}>{usePathName(org, path)}</span>;
}

/** What a key or a session reaches below its organization. */
export function ReachName({ org, project, application }: { org: string; project: string; application: string | null }) {
  const names = useEventNames(org, { project, application: application ?? '', event: '' });
  return application === null ? names.project : names.place;
}

/** The channel of a path: `shop/log`, or `mail` of the organization itself. */
export function ChannelPath({ org, path }: { org: string; path: string }) {
  const [slug = '', project] = path.split('/').toReversed();
  const named = useChannelNamed(org, project ?? null, slug);
  return (
    <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: project ?? '-', channel: slug }} title={path}>
      {named?.name ?? path}
    </Link>
  );
}

/** A distribution list that a notification of `project` names. */
export function ListLink({ org, project, name }: { org: string; project: string; name: string }) {
  const can = useCan();
  const path = { org, prj: project };
  const { items } = useList(
    '/api/o/{org}/p/{prj}/d/',
    { path, query: { limit: 1000 } },
    { enabled: can('distributionlist:read') },
  );
  const found = items?.find((list) => list.name === name);
  if (!found) return <span>{name}</span>;
  return (
    <Link to="/o/$org/lists/$prj/$list" params={{ org, prj: project, list: String(found.id) }}>
      {name}
    </Link>
  );
}
