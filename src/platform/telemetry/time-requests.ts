import type { Response } from 'express';
import { refusingQuota } from '../http/problem.filter.js';
import { EVENT_STREAM } from '../http/stream/event-stream.js';
import type { Metrics } from './metrics.js';

const START = Symbol('start');
type Timed = Response & { [START]: number };

/** Returns a function that measures a response when it ends. It ignores streams: their duration depends on the reader. */
export function timeRequests(meters: Metrics): (response: Response) => void {
  // One function for all requests, as in request-log.ts.
  function observe(this: Timed): void {
    const quota = refusingQuota(this);
    if (quota !== undefined) meters.refused(quota);
    if (String(this.getHeader('Content-Type')).startsWith(EVENT_STREAM)) return;
    const { method, route } = this.req as { method: string; route?: { path: string } };
    // The declared path, so there are few values. A request without a route has none.
    // The client left before it had the answer: its duration and status say nothing about the service.
    const status = this.writableFinished ? this.statusCode : 'aborted';
    meters.answered(method, route?.path ?? 'none', status, (performance.now() - this[START]) / 1000);
  }
  return (response) => {
    (response as Timed)[START] = performance.now();
    response.on('close', observe);
  };
}
