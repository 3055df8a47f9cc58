import { ProblemError } from '@carillon/client';

const TRIES = 20;
const PAUSE_MS = 1_500;

/** Waits while the service is busy with other calls of the organization. */
export async function patiently<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof ProblemError && (error.status === 429 || error.status === 503);
      if (!isBusy || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
    }
  }
}
