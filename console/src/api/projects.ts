import { useRead } from './read';
import { useCan, useSession } from './session';

/**
 * The projects that the session reaches, and the one to show: the chosen one, otherwise the first. A session of one project knows its own
 * without asking.
 */
export function useProjects(org: string, chosen?: string) {
  const can = useCan();
  const own = useSession()?.project;
  const path = { path: { org }, query: { limit: 1000 } };
  const { data, error, refetch } = useRead('/api/o/{org}/p/', path, { enabled: can('organization:read') && !own });
  const slugs = own ? [own] : data?.map(({ slug }) => slug);
  return { projects: slugs, project: chosen ?? slugs?.[0], error, refetch };
}
