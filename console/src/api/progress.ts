import { ProblemError } from '@carillon/client';
import type { Progress } from '@carillon/client';
import { useEffect, useState } from 'react';
import { carillon } from './carillon';
import { useVisible } from './visible';

export interface Followed {
  /** What the stream said last; undefined: nothing yet. */
  progress?: Progress;
  /** Whether the stream is open. */
  isLive: boolean;
  /** How often in a row it could not be opened, or broke. */
  failures: number;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const NOTHING: Followed = { isLive: false, failures: 0 };

/** Follows an occurrence while `isOn`, and connects again when the stream ends or breaks. A hidden tab does not follow: browsers open few connections. */
export function useProgress(org: string, occurrence: string, isOn: boolean): Followed {
  const [followed, setFollowed] = useState(NOTHING);
  const isVisible = useVisible();
  useEffect(() => setFollowed(NOTHING), [org, occurrence]);
  useEffect(() => {
    if (!isOn || !isVisible) return;
    const stopped = new AbortController();
    void follow({ org, occurrence }, stopped.signal, setFollowed);
    return () => stopped.abort();
  }, [org, occurrence, isOn, isVisible]);
  return followed;
}

async function follow(
  path: { org: string; occurrence: string },
  signal: AbortSignal,
  report: (change: (before: Followed) => Followed) => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const events = await carillon.get('/api/o/{org}/occurrences/{occurrence}/stream/', { path, signal });
      for await (const { data } of events) {
        failures = 0;
        report(() => ({ progress: data, isLive: true, failures }));
      }
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      report(({ progress }) => ({ progress, isLive: false, failures }));
      // The page itself shows that the occurrence is gone, or that the session has ended.
      if (error instanceof ProblemError && [401, 403, 404].includes(error.status)) return;
    }
    await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1)), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve());
  });
}
