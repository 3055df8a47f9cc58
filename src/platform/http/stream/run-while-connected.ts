import type { Response } from 'express';
import { clientLeft, unavailable } from '../problem.js';

/** Runs the work for one answer. Aborts the work when the client disconnects. Aborts it and answers 503 when it takes too long. */
export async function runWhileConnected<Result>(
  response: Response,
  timeoutMs: number,
  timeoutDetail: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const timeout = setTimeout(() => controller.abort(unavailable(timeoutDetail)), timeoutMs);
  const onClose = () => controller.abort(clientLeft());
  response.once('close', onClose);
  try {
    // Does not wait for the work to stop: the work may be in a step that cannot be interrupted.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timeout);
    response.off('close', onClose);
  }
}
