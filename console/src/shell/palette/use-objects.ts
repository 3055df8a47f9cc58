import { useQuery } from '@tanstack/react-query';
import { useCan, useSession } from '../../api/session';
import { useTree } from '../../api/tree';
import { text } from '../../text/text';
import { linkTo } from '../../pages/layout/place';
import type { Finding } from './finding';
import { readNotifications, readObjects } from './read-objects';

const KEPT_MS = 60_000;

/** Everything of the organization that has a name, read when the palette is used and kept for a minute. */
export function useObjects(org: string, isOn: boolean): { objects: Finding[]; isReading: boolean } {
  const can = useCan();
  const session = useSession();
  const tree = useTree(org, isOn);
  const projects = tree.data?.projects ?? (session?.project ? [session.project] : []);
  const { applications = [], events = [], names = {} } = tree.data ?? {};
  const isReady = isOn && !tree.isLoading;
  const rest = useQuery({
    queryKey: ['objects', org, projects],
    queryFn: ({ signal }) => readObjects(org, projects, Boolean(session?.project), can, signal),
    enabled: isReady && !session?.application,
    staleTime: KEPT_MS,
  });
  const notifications = useQuery({
    queryKey: ['notifications', org, events],
    queryFn: ({ signal }) => readNotifications(org, events, signal),
    enabled: isReady && events.length > 0 && can('notification:read'),
    staleTime: KEPT_MS,
  });
  const nameOf = (path: string) => names[path] ?? path.split('/').at(-1)!;
  const placeOf = (path: string) => {
    const [project = '', application = ''] = path.split('/');
    return `${nameOf(project)} / ${nameOf(`${project}/${application}`)}`;
  };
  const paramsOf = (path: string) => {
    const [prj = '', app = '', evt = ''] = path.split('/');
    return { org, prj, app, evt };
  };
  const owner = (project: string | null) => (project === null ? text.channel.organization : nameOf(project));
  const objects: Finding[] = [
    ...events.map((path): Finding => ({
      ...{ id: `event-${path}`, kind: 'event', icon: 'events', label: nameOf(path), hint: placeOf(path), also: path },
      does: { to: '/o/$org/events/$prj/$app/$evt', params: paramsOf(path), search: {} },
    })),
    ...(notifications.data ?? []).map(({ id, name, event }): Finding => ({
      ...{ id: `notification-${event}/${id}`, kind: 'notification', icon: 'mail', label: name, hint: nameOf(event) },
      does: { to: '/o/$org/events/$prj/$app/$evt', params: paramsOf(event), search: { rule: String(id) } },
    })),
    ...(rest.data?.channels ?? []).map(({ slug, name, project }): Finding => ({
      ...{ id: `channel-${project}/${slug}`, kind: 'channel', icon: 'channels', label: name, also: slug },
      hint: owner(project),
      does: { to: '/o/$org/channels/$prj/$channel', params: { org, prj: project ?? '-', channel: slug } },
    })),
    ...(rest.data?.lists ?? []).map(({ id, name, project }): Finding => ({
      ...{ id: `list-${id}`, kind: 'list', icon: 'lists', label: name, hint: nameOf(project) },
      does: { to: '/o/$org/lists/$prj/$list', params: { org, prj: project, list: String(id) }, search: {} },
    })),
    ...(rest.data?.categories ?? []).map(({ slug, name, project }): Finding => ({
      ...{ id: `category-${project}/${slug}`, kind: 'category', icon: 'categories', label: name, also: slug },
      hint: nameOf(project),
      does: { to: '/o/$org/categories', params: { org }, search: { project, search: name } },
    })),
    ...(rest.data?.fragments ?? []).map(({ slug, kind, project }): Finding => ({
      ...{ id: `${kind}-${project}/${slug}`, kind: 'layout', icon: 'layouts', label: slug, hint: owner(project) },
      does: { ...linkTo({ org, prj: project, kind, slug }), search: {} },
    })),
    ...projects.map((slug): Finding => ({
      ...{ id: `project-${slug}`, kind: 'project', icon: 'project', label: nameOf(slug), also: slug },
      hint: applications
        .filter((path) => path.startsWith(`${slug}/`))
        .map(nameOf)
        .join(', '),
      does: { to: '/o/$org/events', params: { org }, search: { q: nameOf(slug) } },
    })),
  ];
  return { objects, isReading: tree.isFetching || rest.isFetching || notifications.isFetching };
}
