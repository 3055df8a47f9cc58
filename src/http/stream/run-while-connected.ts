import type { Response } from 'express';
import { unavailable } from '../problem.js';

/** Work for one answer. It is given up when its client has left, and when it takes too long: then the client is told so. */
export async function whileAwaited<Result>(
  response: Response,
  longestMs: number,
  tooLong: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const { signal } = over;
  const late = setTimeout(() => over.abort(unavailable(tooLong)), longestMs);
  const leave = () => over.abort(unavailable('The client has left.'));
  response.once('close', leave);
  try {
    // Not only by the work itself: it may be in the middle of something that cannot be stopped.
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    return await Promise.race([work(signal), givenUp]);
  } finally {
    clearTimeout(late);
    response.off('close', leave);
  }
}
