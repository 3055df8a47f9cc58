import { useQueries } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { useProjects } from '../../../api/projects';
import { useCan } from '../../../api/session';
import type { ListName } from './file/file-columns';

const PATH = '/api/o/{org}/p/{prj}/d/';

/** The distribution lists of the projects. */
export function useLists(org: string): (ListName & { id: number })[] {
  const can = useCan();
  const { shown } = useProjects(org);
  return useQueries({
    queries: (can('distributionlist:read') ? (shown ?? []) : []).map((prj) => ({
      queryKey: [PATH, { path: { org, prj }, query: { limit: 1000 } }],
      queryFn: () => carillon.get(PATH, { path: { org, prj }, query: { limit: 1000 } }),
      select: (lists: { id: number; name: string }[]) => lists.map(({ id, name }) => ({ id, project: prj, name })),
    })),
    combine: (reads) => reads.flatMap(({ data }) => data ?? []),
  });
}
