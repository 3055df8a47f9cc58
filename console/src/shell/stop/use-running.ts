import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { text } from '../../text/text';
import type { StopTarget } from './stop-target';

/** The newest occurrences are asked; so many of those that still send are offered. */
const ASKED = 20;
const OFFERED = 5;

/** The occurrences that send right now or wait for it, newest first. Undefined: they are being read. */
export function useRunning(org: string, isOn: boolean): StopTarget[] | undefined {
  const can = useCan();
  const enabled = isOn && can('occurrence:read') && can('occurrence:write');
  const { data, isPending } = useQuery({
    queryKey: ['running', org],
    queryFn: ({ signal }) => readRunning(org, signal),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
  return enabled && isPending ? undefined : (data ?? []);
}

async function readRunning(org: string, signal: AbortSignal): Promise<StopTarget[]> {
  const query = { limit: ASKED };
  const { items } = await carillon.page('/api/o/{org}/occurrences/', { path: { org }, query, signal });
  const begun = items.filter(({ status }) => status !== 'canceled' && status !== 'failed');
  const details = await Promise.all(
    begun.map(({ id }) =>
      carillon.get('/api/o/{org}/occurrences/{occurrence}/', { path: { org, occurrence: id }, signal }),
    ),
  );
  return details
    .filter(({ done }) => !done)
    .slice(0, OFFERED)
    .map(({ id, project, application, event, created_at: at, counts }) => ({
      kind: 'occurrence',
      path: id,
      name: text.stop.names.running(`${project}/${application}/${event}`, new Date(at), counts.pending),
    }));
}
