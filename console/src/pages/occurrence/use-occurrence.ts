import type { Counts, ExplainedTotals, OccurrenceDetail } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { carillon } from '../../api/carillon';
import { useProgress } from '../../api/progress';
import { queryClient } from '../../api/query-client';
import { POLL_MS, keyOf } from '../../api/read';

const PATH = '/api/o/{org}/occurrences/{occurrence}/';
const EXPLAIN = `${PATH}explain/` as const;
/** What stands beside the numbers: the deliveries, and the answer about one user. */
const PARTS = [`${PATH}deliveries/`, EXPLAIN] as const;
/** The stream reports every change. The page asks again this often at most. */
const ASK_AGAIN_MS = 1_000;
/** While messages go out, two answers seldom have the same numbers. */
const MAX_TRIES = 2;

interface Seen {
  occurrence: OccurrenceDetail;
  explained: ExplainedTotals;
  /** Those of the sentence. */
  counts: Counts;
}

/**
 * Asks again for everything that the page shows of an occurrence. `cancelRefetch: false` lets a question that is on its way end first: while
 * messages go out, none would ever be answered otherwise.
 */
export const refreshOccurrence = (options = { cancelRefetch: true }): Promise<unknown> =>
  askAgain([PATH, ...PARTS], options);

function askAgain(paths: readonly (typeof PATH | (typeof PARTS)[number])[], options: { cancelRefetch: boolean }) {
  return Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) }, options)));
}

const isSame = (a: Counts, b: Counts) =>
  (['total', 'sent', 'pending', 'skipped', 'dead'] as const).every((name) => a[name] === b[name]);

const countsOf = ({ total, outcomes }: ExplainedTotals): Counts => ({
  ...{ total, sent: outcomes.sent, pending: outcomes.waiting, skipped: outcomes.not_sent, dead: outcomes.dead },
});

/** The occurrence and its sentence together, with the same numbers: they stand beside each other. */
async function look(path: { org: string; occurrence: string }, signal: AbortSignal): Promise<Seen> {
  for (let tries = 1; ; tries++) {
    const [occurrence, explained] = await Promise.all([
      carillon.get(PATH, { path, signal }),
      carillon.get(EXPLAIN, { path, signal }) as Promise<ExplainedTotals>,
    ]);
    const counts = countsOf(explained);
    if (tries === MAX_TRIES || isSame(counts, occurrence.counts)) return { occurrence, explained, counts };
  }
}

/** An occurrence, followed live until it is finished. After that a slow question notices if somebody retries it. */
export function useOccurrence(org: string, id: string) {
  const path = { org, occurrence: id };
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: [...keyOf(PATH, { path }), 'explained'],
    queryFn: ({ signal }) => look(path, signal),
    refetchInterval: POLL_MS,
  });
  const isOpen = data !== undefined && !data.occurrence.done;
  const { progress, isLive, failures } = useProgress(org, id, isOpen);
  const isBehind = isOpen && progress && !(progress.status === data.occurrence.status && isSame(progress, data.counts));
  const asked = useRef(0);
  useEffect(() => {
    if (!isBehind) return;
    const wait = Math.max(0, asked.current + ASK_AGAIN_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      void refreshOccurrence({ cancelRefetch: false });
    }, wait);
    return () => clearTimeout(timer);
    // An answer that is still behind is asked for again.
  }, [isBehind, progress, dataUpdatedAt]);
  const before = useRef<Counts>(undefined);
  useEffect(() => {
    if (data && before.current && !isSame(before.current, data.counts)) void askAgain(PARTS, { cancelRefetch: false });
    before.current = data?.counts;
  }, [data]);
  const sign = isOpen && isLive ? ('live' as const) : isOpen && failures > 1 ? ('lost' as const) : ('polled' as const);
  return { occurrence: data?.occurrence, explained: data?.explained, counts: data?.counts, sign, error, refetch };
}
