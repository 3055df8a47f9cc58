import { useRead } from './read';
import { useCan } from './session';

/** A list of names is read once, for all that a page shows. */
const PAGE = { limit: 1000 };

const nameIn = (items: { slug: string; name: string }[] | undefined, slug: string) =>
  items?.find((item) => item.slug === slug)?.name ?? slug;

/** What a slug of a project is called. One question answers for all projects; a slug that is not among the first 1,000 stays as it is. */
export function useProjectNames(org: string): (slug: string) => string {
  const isAllowed = useCan()('organization:read');
  const { data } = useRead('/api/o/{org}/p/', { path: { org }, query: PAGE }, { enabled: isAllowed });
  return (slug) => nameIn(data, slug);
}

type Switched = 'project' | 'application' | 'event' | 'notification' | 'channel';

interface Place {
  project: string;
  application: string;
  event: string;
}

/** What an event is called, and where it stands: one question for each application. An empty slug has no name and is not asked for. */
export function useEventNames(org: string, { project, application, event }: Place) {
  const can = useCan();
  const [prj, app] = [project, application];
  const isAllowed = can('organization:read') && prj !== '';
  const inProject = { path: { org, prj }, query: PAGE };
  const inApplication = { path: { org, prj, app }, query: PAGE };
  const applications = useRead('/api/o/{org}/p/{prj}/a/', inProject, { enabled: isAllowed }).data;
  const mayList = can('event:list') && app !== '';
  const events = useRead('/api/o/{org}/p/{prj}/a/{app}/e/', inApplication, { enabled: mayList }).data;
  const projectName = useProjectNames(org)(project);
  const applicationName = nameIn(applications, application);
  return {
    project: projectName,
    application: applicationName,
    event: nameIn(events, event),
    place: `${projectName} / ${applicationName}`,
  };
}

/** What the project, the application or the event of a path such as `shop/web` is called. */
export function usePathName(org: string, path: string): string {
  const [project = '', application = '', event = ''] = path.split('/');
  const names = useEventNames(org, { project, application, event });
  return event ? names.event : application ? names.application : names.project;
}

/** What the owner of a switch is called. A channel has its slug at the end of its path, and a notification its name. */
export function useSwitchName(org: string, kind: Switched, path: string): string {
  const slugs = path.split('/');
  const isChannel = kind === 'channel';
  const [project, slug] = slugs.length > 1 ? [slugs[0]!, slugs[1]!] : [null, path];
  const channel = useChannelNamed(org, isChannel ? project : null, isChannel ? slug : null);
  const place = usePathName(org, isChannel ? '' : slugs.slice(0, 3).join('/'));
  if (isChannel) return channel?.name ?? slug;
  return kind === 'notification' ? `${slugs.slice(3).join('/')} (${place})` : place;
}

/** What a channel is called that `project` names by its slug, and who owns it: the project's own one counts before the organization's. */
export function useChannelNamed(org: string, project: string | null, slug: string | null) {
  const isAllowed = useCan()('organization:read') && slug !== null;
  const inProject = { path: { org, prj: project ?? '' }, query: PAGE };
  const own = useRead('/api/o/{org}/p/{prj}/c/', inProject, { enabled: isAllowed && project !== null }).data;
  const shared = useRead('/api/o/{org}/c/', { path: { org }, query: PAGE }, { enabled: isAllowed }).data;
  const found = own?.find((channel) => channel.slug === slug);
  if (found) return { name: found.name, project };
  const common = shared?.find((channel) => channel.slug === slug);
  return common && { name: common.name, project: null };
}

/** What a category of a project is called. */
export function useCategoryName(org: string, prj: string, slug: string | null): string | null {
  const input = { path: { org, prj }, query: PAGE };
  const { data } = useRead('/api/o/{org}/p/{prj}/categories/', input, {
    enabled: slug !== null && useCan()('event:list'),
  });
  return slug === null ? null : nameIn(data, slug);
}
