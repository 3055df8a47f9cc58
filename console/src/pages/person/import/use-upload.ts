import type { PathOf } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client';
import { keyOf } from '../../../api/read';

export interface Progress<Outcome> {
  signal: AbortSignal;
  onProgress: (outcome: Outcome) => void;
}

/**
 * Sends lines, or checks them, and knows how far it is. What has failed or was stopped can be continued. `changes`: the list that the lines
 * change.
 */
export function useUpload<Line, Outcome>(
  nothing: Outcome,
  send: (lines: readonly Line[], before: Outcome, progress: Progress<Outcome>) => Promise<Outcome>,
  changes?: PathOf<'GET'>,
) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const running = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: ({ lines, before }: { lines: readonly Line[]; before: Outcome }) => {
      const { signal } = (running.current = new AbortController());
      // What comes after a reset is about columns that are no longer chosen.
      const onProgress = (next: Outcome) => void (signal.aborted || setOutcome(next));
      setOutcome(before);
      return send(lines, before, { signal, onProgress });
    },
    onSettled: () => (changes ? queryClient.invalidateQueries({ queryKey: keyOf(changes) }) : undefined),
  });
  const stop = () => running.current?.abort();
  return {
    ...(run.isSuccess && outcome ? { isDone: true as const, outcome } : { isDone: false as const, outcome }),
    isRunning: run.isPending,
    /** Null: it was stopped by hand, or nothing has failed. */
    error: run.error?.name === 'AbortError' ? null : run.error,
    start: (lines: readonly Line[]) => run.mutate({ lines, before: nothing }),
    resume: (lines: readonly Line[]) => run.mutate({ lines, before: outcome ?? nothing }),
    stop,
    reset: () => {
      stop();
      setOutcome(null);
      run.reset();
    },
  };
}
