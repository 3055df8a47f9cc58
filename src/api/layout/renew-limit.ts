import { conflict } from '../../platform/http/problem.js';

/** How many events one request renews: some milliseconds each, while the organization is locked. A file has no such limit. */
const MAX_EVENTS = 2_000;

export function refuseTooMany(events: number, most = MAX_EVENTS): void {
  if (events > most)
    throw conflict(
      `The change would renew more than ${most} events, because their notifications use it. Make the change in a file, and run carillon apply.`,
    );
}
