import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client';
import { keyOf } from '../../../api/read';
import type { UploadLine } from './file/file-columns';
import { NOTHING, upload } from './upload';
import type { Outcome } from './upload';

/** Sends lines, or checks them, and knows how far it is. What has failed or was stopped can be continued. */
export function useUpload(org: string, dryRun: boolean) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const running = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: ({ lines, before }: { lines: readonly UploadLine[]; before: Outcome }) => {
      const { signal } = (running.current = new AbortController());
      // What comes after a reset is about columns that are no longer chosen.
      const onProgress = (next: Outcome) => signal.aborted || setOutcome(next);
      setOutcome(before);
      return upload({ org, lines, dryRun, signal, onProgress }, before);
    },
    onSettled: () => (dryRun ? undefined : queryClient.invalidateQueries({ queryKey: keyOf('/api/o/{org}/u/') })),
  });
  const stop = () => running.current?.abort();
  return {
    ...(run.isSuccess && outcome ? { isDone: true as const, outcome } : { isDone: false as const, outcome }),
    isRunning: run.isPending,
    /** Null: it was stopped by hand, or nothing has failed. */
    error: run.error?.name === 'AbortError' ? null : run.error,
    start: (lines: readonly UploadLine[]) => run.mutate({ lines, before: NOTHING }),
    resume: (lines: readonly UploadLine[]) => run.mutate({ lines, before: outcome ?? NOTHING }),
    stop,
    reset: () => {
      stop();
      setOutcome(null);
      run.reset();
    },
  };
}
