import { useQueries } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { useProjects } from '../../../api/projects';
import { useCan } from '../../../api/session';
import type { ListName } from './file/file-columns';

const PATH = '/api/o/{org}/p/{prj}/d/';

/** The distribution lists that users can be added to. */
export function useLists(org: string): ListName[] {
  const can = useCan();
  const { shown } = useProjects(org);
  const may = can('distributionlist:read') && can('distributionlist:write');
  return useQueries({
    queries: (may ? (shown ?? []) : []).map((prj) => ({
      queryKey: [PATH, { path: { org, prj }, query: { limit: 1000 } }],
      queryFn: () => carillon.get(PATH, { path: { org, prj }, query: { limit: 1000 } }),
      select: (lists: { name: string }[]) => lists.map(({ name }): ListName => ({ project: prj, name })),
    })),
    combine: (reads) => reads.flatMap(({ data }) => data ?? []),
  });
}
