import type { IncomingMessage } from 'node:http';

const BYTES = Symbol('body bytes');
type Counted = IncomingMessage & { [BYTES]?: number };

/** Notes the size of a body that was read. */
export function setBodyBytes(request: IncomingMessage, bytes: number): void {
  (request as Counted)[BYTES] = bytes;
}

/** The size of the body; 0 before it was read. */
export const bodyBytes = (request: IncomingMessage): number => (request as Counted)[BYTES] ?? 0;
