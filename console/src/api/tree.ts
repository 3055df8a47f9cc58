import { useQuery } from '@tanstack/react-query';
import { carillon } from './carillon';
import { useCan } from './session';

export interface Tree {
  /** `shop` */
  projects: string[];
  /** `shop/web` */
  applications: string[];
  /** `shop/web/order-paid` */
  events: string[];
  /** What a path is called: `shop/web` is `Web shop`. */
  names: Record<string, string>;
}

const FIRST = { limit: 1000 };

async function readTree(org: string, signal: AbortSignal): Promise<Tree> {
  const { items } = await carillon.page('/api/o/{org}/p/', { path: { org }, query: FIRST, signal });
  const projects = items.map(({ slug }) => slug);
  const names = Object.fromEntries(items.map(({ slug, name }) => [slug, name]));
  const applications = await Promise.all(
    projects.map(async (prj) => {
      const page = await carillon.page('/api/o/{org}/p/{prj}/a/', { path: { org, prj }, query: FIRST, signal });
      for (const { slug, name } of page.items) names[`${prj}/${slug}`] = name;
      return page.items.map(({ slug }) => [prj, slug] as const);
    }),
  );
  const events = await Promise.all(
    applications.flat().map(async ([prj, app]) => {
      const path = { org, prj, app };
      const page = await carillon.page('/api/o/{org}/p/{prj}/a/{app}/e/', { path, query: FIRST, signal });
      for (const { slug, name } of page.items) names[`${prj}/${app}/${slug}`] = name;
      return page.items.map(({ slug }) => `${prj}/${app}/${slug}`);
    }),
  );
  return { projects, applications: applications.flat().map((slugs) => slugs.join('/')), events: events.flat(), names };
}

/** The projects, applications and events of the organization that the session sees, as paths. */
export function useTree(org: string, isOn = true) {
  const can = useCan();
  return useQuery({
    queryKey: ['tree', org],
    queryFn: ({ signal }) => readTree(org, signal),
    enabled: isOn && can('organization:read') && can('event:list'),
    staleTime: 60_000,
  });
}
