import type { Response } from 'express';
import { EVENT_STREAM } from '../http/stream/event-stream.js';
import type { Meters } from './meters.js';

const START = Symbol('start');
type Timed = Response & { [START]: number };

/** A function that is shown every response, and measures it when it is over; not a stream, which takes as long as its reader likes. */
export function timeRequests(meters: Meters): (response: Response) => void {
  // One for all requests, as in request-log.ts.
  function observe(this: Timed): void {
    if (String(this.getHeader('Content-Type')).startsWith(EVENT_STREAM)) return;
    const { method, route } = this.req as { method: string; route?: { path: string } };
    // As it was declared, and so one of a few; what is nowhere has none.
    meters.answered(method, route?.path ?? 'none', this.statusCode, (performance.now() - this[START]) / 1000);
  }
  return (response) => {
    (response as Timed)[START] = performance.now();
    response.on('close', observe);
  };
}
