import { useMemo } from 'react';
import { useRead } from '../../api/read';

const query = { limit: 1000 };

/** The names of the partials that a project can use: its own, and those of the organization. Null: the organization itself. */
export function usePartials(org: string, prj: string | null): string[] {
  const shared = useRead('/api/o/{org}/partials/', { path: { org }, query }).data;
  const own = useRead(
    '/api/o/{org}/p/{prj}/partials/',
    { path: { org, prj: prj ?? '' }, query },
    { enabled: prj !== null },
  ).data;
  return useMemo(() => [...new Set([...(own ?? []), ...(shared ?? [])].map(({ slug }) => slug))].sort(), [shared, own]);
}
