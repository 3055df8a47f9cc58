import { useQueries } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { keyOf, useRead } from '../../../api/read';

interface Named {
  name: string;
  slug: string;
}
export interface TreeApplication extends Named {
  project: Named;
  events: Named[];
}

const PAGE = { limit: 1000 };

/** All projects, applications and events that the session reaches. */
export function useTree(org: string) {
  const projects = useRead('/api/o/{org}/p/', { path: { org }, query: PAGE });
  const listed = projects.data ?? [];
  const applications = useQueries({
    queries: listed.map(({ slug: prj }) => {
      const input = { path: { org, prj }, query: PAGE };
      return {
        queryKey: keyOf('/api/o/{org}/p/{prj}/a/', input),
        queryFn: () => carillon.get('/api/o/{org}/p/{prj}/a/', input),
      };
    }),
  });
  const places = listed.flatMap((project, i) => (applications[i]!.data ?? []).map((one) => ({ project, ...one })));
  const events = useQueries({
    queries: places.map(({ project, slug: app }) => {
      const input = { path: { org, prj: project.slug, app }, query: PAGE };
      return {
        queryKey: keyOf('/api/o/{org}/p/{prj}/a/{app}/e/', input),
        queryFn: () => carillon.get('/api/o/{org}/p/{prj}/a/{app}/e/', input),
      };
    }),
  });
  const all = [projects, ...applications, ...events];
  return {
    projects: listed,
    applications: places.map((place, i): TreeApplication => ({ ...place, events: events[i]!.data ?? [] })),
    isReading: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
    again: () => void Promise.all(all.map(({ refetch }) => refetch())),
  };
}
