import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { useCan, useSession } from '../../api/session';
import { sendingTarget } from './stop-target';
import type { StopTarget } from './stop-target';

/** A session of a project asks the newest occurrences; so many of those that still send are offered. */
const ASKED = 20;
const OFFERED = 5;

/** The occurrences that are being sent right now, those with the most to send first. Undefined: they are being read. */
export function useRunning(org: string, isOn: boolean): StopTarget[] | undefined {
  const can = useCan();
  const session = useSession();
  const isWhole = !session?.project;
  const enabled = isOn && can('occurrence:read') && can('occurrence:write');
  const { data, isPending } = useQuery({
    queryKey: ['running', org],
    queryFn: ({ signal }) => (isWhole ? readSending(org, signal) : readRunning(org, signal)),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
  return enabled && isPending ? undefined : (data ?? []);
}

async function readSending(org: string, signal: AbortSignal): Promise<StopTarget[]> {
  const { sending } = await carillon.get('/api/o/{org}/summary/', { path: { org }, signal });
  return sending.map(sendingTarget);
}

/** The summary is of the whole organization: a session of a project may not see it. */
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
    .map(({ id, counts, ...rest }) => sendingTarget({ occurrence: id, waiting: counts.pending, ...rest }));
}
