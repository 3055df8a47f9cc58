import type { OccurrenceDetail } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { valueOf } from './stop-target';
import type { StopTarget } from './stop-target';

/** How many occurrences are asked. There is no operation that counts what waits for a switch. */
export const NEWEST = 20;
const READ = 100;
const COUNT_AGAIN_MS = 1_500;

export interface Waiting {
  pending: number;
  /** Messages sent so far, by occurrence. */
  sent: Map<string, number>;
  /** Occurrences whose recipients are not resolved yet. */
  unresolved: number;
  occurrences: number;
  isDone: boolean;
}

/** How many messages wait for what would be stopped, counted again and again while the dialog is open. */
export function useWaiting(org: string, target: StopTarget | null, isOn: boolean) {
  return useQuery({
    queryKey: ['waiting', org, target && valueOf(target)],
    queryFn: ({ signal }) => countWaiting(org, target!, signal),
    enabled: isOn && target !== null,
    refetchInterval: COUNT_AGAIN_MS,
    staleTime: 0,
  });
}

async function countWaiting(org: string, target: StopTarget, signal: AbortSignal): Promise<Waiting> {
  const ids = target.kind === 'occurrence' ? [target.path] : await newestOf(org, target, signal);
  const details = await Promise.all(
    ids.map((occurrence) =>
      carillon.get('/api/o/{org}/occurrences/{occurrence}/', { path: { org, occurrence }, signal }),
    ),
  );
  const counted = details.map((detail) => ({ detail, ...countsFor(detail, target) }));
  return {
    pending: counted.reduce((sum, { pending }) => sum + pending, 0),
    sent: new Map(counted.map(({ detail, sent }) => [detail.id, sent])),
    unresolved: details.filter(({ status }) => ['pending', 'expanding', 'held'].includes(status)).length,
    occurrences: details.length,
    isDone: details.every(({ done }) => done),
  };
}

async function newestOf(org: string, { kind, path }: StopTarget, signal: AbortSignal): Promise<string[]> {
  const query = { limit: READ, event: kind === 'event' ? path : undefined };
  const { items } = await carillon.page('/api/o/{org}/occurrences/', { path: { org }, query, signal });
  // A channel of a project is used by that project only; a channel of the organization by all of them.
  const place = kind === 'channel' ? path.split('/').slice(0, -1).join('/') : path;
  const isBelow = ({ project, application, event }: (typeof items)[number]) =>
    `${project}/${application}/${event}/`.startsWith(place && `${place}/`);
  return items
    .filter(isBelow)
    .slice(0, NEWEST)
    .map(({ id }) => id);
}

function countsFor({ counts, rules }: OccurrenceDetail, { kind, path }: StopTarget): { pending: number; sent: number } {
  if (kind !== 'channel') return counts;
  const slug = path.split('/').at(-1);
  const over = rules.flatMap(({ channels }) => channels).filter(({ channel }) => channel === slug);
  const sum = (name: 'pending' | 'sent') => over.reduce((total, each) => total + each.counts[name], 0);
  return { pending: sum('pending'), sent: sum('sent') };
}
