import { Link } from '@tanstack/react-router';
import { useRead } from '../api/read';
import { useCan } from '../api/session';

export function EventLink(place: { org: string; project: string; application: string; event: string }) {
  const { org, project: prj, application: app, event: evt } = place;
  return (
    <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj, app, evt }}>
      {evt}
    </Link>
  );
}

/** A channel that a project uses: its own, or one of the organization. */
export function ChannelLink({ org, project, channel }: { org: string; project: string; channel: string }) {
  const can = useCan();
  const isAllowed = can('organization:read');
  const path = { path: { org, prj: project }, query: { limit: 1000 } };
  const { data } = useRead('/api/o/{org}/p/{prj}/c/', path, { enabled: isAllowed });
  if (!isAllowed || !data) return <span>{channel}</span>;
  const prj = data.some(({ slug }) => slug === channel) ? project : '-';
  return (
    <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj, channel }}>
      {channel}
    </Link>
  );
}

export function PersonLink({ org, username, children }: { org: string; username: string; children?: string }) {
  return (
    <Link to="/o/$org/people/$username" params={{ org, username }} search={{}}>
      {children ?? username}
    </Link>
  );
}
