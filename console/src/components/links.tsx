import { Link } from '@tanstack/react-router';
import { useList, useRead } from '../api/read';
import { useCan } from '../api/session';
import { text } from '../text/text';

interface Place {
  project: string;
  application: string;
  event: string;
}

/** The name of an event, with its place. */
export function EventLink({ org, place: { project, application, event } }: { org: string; place: Place }) {
  const can = useCan();
  const name = (
    <>
      <span className="soft">
        {project}/{application}/
      </span>
      {event}
    </>
  );
  if (!can('event:list')) return <span>{name}</span>;
  return (
    <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj: project, app: application, evt: event }}>
      {name}
    </Link>
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
  const can = useCan();
  const { data } = useRead('/api/o/{org}/channel-health/', { path: { org } }, { enabled: can('organization:read') });
  if (slug === null) return <span className="soft">{text.links.deletedChannel}</span>;
  const named = data?.filter(({ channel }) => channel === slug) ?? [];
  const found =
    named.find((channel) => channel.project === project) ?? named.find((channel) => channel.project === null);
  if (!found) return <span>{slug}</span>;
  return (
    <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: found.project ?? '-', channel: slug }}>
      {slug}
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
