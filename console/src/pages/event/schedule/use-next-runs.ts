import { useQuery } from '@tanstack/react-query';

const SHOWN = 5;

/**
 * The next runs of a schedule that is being typed; null: the expression or the zone is not complete. The service calculates with the same library.
 * It is loaded when a form first needs it.
 */
export function useNextRuns(cron: string, zone: string): string[] | null | undefined {
  const library = useQuery({ queryKey: ['croner'], queryFn: () => import('croner'), staleTime: Infinity });
  if (!library.data) return library.isError ? null : undefined;
  if (cron.split(' ').length !== 5) return null;
  try {
    const runs = new library.data.Cron(cron, { timezone: zone, mode: '5-part', paused: true }).nextRuns(SHOWN);
    return runs.length > 0 ? runs.map((slot) => slot.toISOString()) : null;
  } catch {
    return null;
  }
}
