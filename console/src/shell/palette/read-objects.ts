import { carillon } from '../../api/carillon';

/** What has a name in an organization, apart from events and users. */
export interface Objects {
  channels: { slug: string; name: string; project: string | null }[];
  lists: { id: number; name: string; project: string }[];
  categories: { slug: string; name: string; project: string }[];
  fragments: { slug: string; kind: 'layout' | 'partial'; project: string | null }[];
}

/** Of more projects, only the channels, lists, categories and layouts of the first are found. */
const PROJECTS = 10;
const FIRST = { limit: 200 };

type Can = (permission: string) => boolean;

/** Reads one project after the other: what is found later is not worth a burst of requests. */
export async function readObjects(
  org: string,
  projects: string[],
  isOfProject: boolean,
  can: Can,
  signal: AbortSignal,
) {
  const found: Objects = { channels: [], lists: [], categories: [], fragments: [] };
  const mayChannels = can('organization:read');
  const mayLayouts = can('notification:read');
  if (!isOfProject) {
    const given = { path: { org }, query: FIRST, signal };
    if (mayChannels)
      for (const { slug, name } of await carillon.get('/api/o/{org}/c/', given))
        found.channels.push({ slug, name, project: null });
    if (mayLayouts) {
      const [layouts, partials] = await Promise.all([
        carillon.get('/api/o/{org}/layouts/', given),
        carillon.get('/api/o/{org}/partials/', given),
      ]);
      for (const { slug } of layouts) found.fragments.push({ slug, kind: 'layout', project: null });
      for (const { slug } of partials) found.fragments.push({ slug, kind: 'partial', project: null });
    }
  }
  for (const project of projects.slice(0, PROJECTS)) {
    const given = { path: { org, prj: project }, query: FIRST, signal };
    const [channels, lists, categories, layouts, partials] = await Promise.all([
      mayChannels ? carillon.get('/api/o/{org}/p/{prj}/c/', given) : [],
      can('distributionlist:read') ? carillon.get('/api/o/{org}/p/{prj}/d/', given) : [],
      can('event:list') ? carillon.get('/api/o/{org}/p/{prj}/categories/', given) : [],
      mayLayouts ? carillon.get('/api/o/{org}/p/{prj}/layouts/', given) : [],
      mayLayouts ? carillon.get('/api/o/{org}/p/{prj}/partials/', given) : [],
    ]);
    for (const { slug, name } of channels) found.channels.push({ slug, name, project });
    for (const { id, name } of lists) found.lists.push({ id, name, project });
    for (const { slug, name } of categories) found.categories.push({ slug, name, project });
    for (const { slug } of layouts) found.fragments.push({ slug, kind: 'layout', project });
    for (const { slug } of partials) found.fragments.push({ slug, kind: 'partial', project });
  }
  return found;
}

/** Of more events, only the notifications of the first are found. */
const EVENTS = 30;

/** What the notifications of the first events are called. `events`: paths such as `shop/web/order-paid`. */
export async function readNotifications(org: string, events: string[], signal: AbortSignal) {
  const found: { id: number; name: string; event: string }[] = [];
  for (const event of events.slice(0, EVENTS)) {
    const [prj = '', app = '', evt = ''] = event.split('/');
    const path = { org, prj, app, evt };
    const some = await carillon.get('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/', { path, query: { limit: 20 }, signal });
    for (const { id, name } of some) found.push({ id, name, event });
  }
  return found;
}
