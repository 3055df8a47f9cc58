import { useRead } from './read';
import { useCan, useSession } from './session';

/** With more projects than these, a page shows the first until one is chosen. */
const TOGETHER = 8;

/**
 * The projects that the session reaches, and those to show: the chosen one, otherwise all. A session of one project knows its own without
 * asking.
 */
export function useProjects(org: string, chosen?: string) {
  const can = useCan();
  const own = useSession()?.project;
  const path = { path: { org }, query: { limit: 1000 } };
  const { data, error, refetch } = useRead('/api/o/{org}/p/', path, { enabled: can('organization:read') && !own });
  const projects = own ? [own] : data?.map(({ slug }) => slug);
  const all = projects && projects.length > TOGETHER ? projects.slice(0, 1) : projects;
  return { projects, shown: chosen ? [chosen] : all, error, refetch };
}
