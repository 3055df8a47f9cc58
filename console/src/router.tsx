import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { consoleUrl } from './api/place';
import { Home } from './shell/home';
import { PageProblem } from './shell/page-problem';
import { NotFound } from './shell/not-found';
import { Root } from './shell/root';
import { Shell } from './shell/shell';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });
/** Everything about one organization. */
const organization = createRoute({ getParentRoute: () => root, path: '/o/$org', component: Shell });

/** The search parameters of a page: its filters, as texts. */
type Filters = Record<string, string | undefined>;
const readFilters = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** `choose`: show the organizations, also where there is only one. */
const home = createRoute({ getParentRoute: () => root, path: '/', validateSearch: readFilters, component: Home });
const now = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/now/now'), 'Now'),
});
const occurrences = createRoute({
  getParentRoute: () => organization,
  path: '/occurrences',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/occurrence/occurrences'), 'Occurrences'),
});
const occurrence = createRoute({
  getParentRoute: () => organization,
  path: '/occurrences/$occurrence',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/occurrence/occurrence'), 'Occurrence'),
});
const figures = createRoute({
  getParentRoute: () => organization,
  path: '/figures',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/figure/figures'), 'Figures'),
});
const people = createRoute({
  getParentRoute: () => organization,
  path: '/people',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/person/people'), 'People'),
});
const importUsers = createRoute({
  getParentRoute: () => organization,
  path: '/people/import',
  component: lazyRouteComponent(() => import('./pages/person/import/import-users'), 'ImportUsers'),
});
const person = createRoute({
  getParentRoute: () => organization,
  path: '/people/$username',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/person/person'), 'Person'),
});
const events = createRoute({
  getParentRoute: () => organization,
  path: '/events',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/event/events'), 'Events'),
});
const event = createRoute({
  getParentRoute: () => organization,
  path: '/events/$prj/$app/$evt',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/event/event'), 'Event'),
});
const channels = createRoute({
  getParentRoute: () => organization,
  path: '/channels',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/channel/channels'), 'Channels'),
});
/** `prj` is `-` for a channel of the organization itself. */
const channel = createRoute({
  getParentRoute: () => organization,
  path: '/channels/$prj/$channel',
  component: lazyRouteComponent(() => import('./pages/channel/channel'), 'Channel'),
});
const lists = createRoute({
  getParentRoute: () => organization,
  path: '/lists',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/list/lists'), 'Lists'),
});
const list = createRoute({
  getParentRoute: () => organization,
  path: '/lists/$prj/$list',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/list/list'), 'List'),
});
const categories = createRoute({
  getParentRoute: () => organization,
  path: '/categories',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/category/categories'), 'Categories'),
});
const layouts = createRoute({
  getParentRoute: () => organization,
  path: '/layouts',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/layout/layouts'), 'Layouts'),
});
/** `prj` is `-` for one of the organization itself; `kind` is `layout` or `partial`. */
const layout = createRoute({
  getParentRoute: () => organization,
  path: '/layouts/$prj/$kind/$slug',
  component: lazyRouteComponent(() => import('./pages/layout/fragment'), 'Fragment'),
});
const brand = createRoute({
  getParentRoute: () => organization,
  path: '/brand',
  component: lazyRouteComponent(() => import('./pages/brand/brand'), 'Brand'),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings'), 'Settings'),
});
const suppressions = createRoute({
  getParentRoute: () => organization,
  path: '/suppressions',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/suppression/suppressions'), 'Suppressions'),
});
const importSuppressions = createRoute({
  getParentRoute: () => organization,
  path: '/suppressions/import',
  component: lazyRouteComponent(() => import('./pages/suppression/import/import-suppressions'), 'ImportSuppressions'),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/audit/audit'), 'Audit'),
});
const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/member/members'), 'Members'),
});
const keys = createRoute({
  getParentRoute: () => organization,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/key/keys'), 'Keys'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    organization.addChildren([
      ...[now, occurrences, occurrence, figures, people, importUsers, person, events, event, channels, channel],
      ...[lists, list, categories, layouts, layout, brand, settings, suppressions],
      ...[importSuppressions, audit, members, keys],
    ]),
  ]),
  basepath: consoleUrl.pathname,
  defaultErrorComponent: PageProblem,
  // The pages that the navigation leads to are loaded at once: a later page must not wait, or fail without a network.
  defaultPreload: 'render',
  scrollRestoration: true,
  // Filters stay readable in the address: `?status=dead`, without quotes.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] satisfies [string, string]],
    );
    return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
