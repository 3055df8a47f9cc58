import type { Counts, OccurrenceDetail } from '@carillon/client';
import { useEffect, useRef } from 'react';
import { useProgress } from '../../api/progress';
import { queryClient } from '../../api/query-client';
import { keyOf, useRead } from '../../api/read';

const PATH = '/api/o/{org}/occurrences/{occurrence}/';
/** The stream reports every change. The rest of the page asks again this often at most. */
const ASK_AGAIN_MS = 2_000;

/**
 * Asks again for everything that the page shows of an occurrence. `cancelRefetch: false` lets a question that is on its way end first: while
 * messages go out, none would ever be answered otherwise.
 */
export function refreshOccurrence(options = { cancelRefetch: true }): Promise<unknown> {
  const paths = [PATH, `${PATH}deliveries/`, `${PATH}explain/`] as const;
  return Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) }, options)));
}

/** An occurrence, followed live until it is finished. After that a slow question notices if somebody retries it. */
export function useOccurrence(org: string, id: string) {
  const { data, error, refetch } = useRead(PATH, { path: { org, occurrence: id } }, { poll: true });
  const isOpen = data !== undefined && !data.done;
  const { progress, isLive, failures } = useProgress(org, id, isOpen);
  const asked = useRef(0);
  useEffect(() => {
    if (!progress) return;
    const wait = Math.max(0, asked.current + ASK_AGAIN_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      void refreshOccurrence({ cancelRefetch: false });
    }, wait);
    return () => clearTimeout(timer);
  }, [progress]);
  const sign = isOpen && isLive ? ('live' as const) : isOpen && failures > 1 ? ('lost' as const) : ('polled' as const);
  const counts: Counts | undefined = isOpen && progress ? progress : data?.counts;
  const occurrence: OccurrenceDetail | undefined =
    data && isOpen && progress ? { ...data, status: progress.status } : data;
  return { occurrence, counts, sign, error, refetch };
}
