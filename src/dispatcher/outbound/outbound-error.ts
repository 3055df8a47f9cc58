/** The target is not allowed, so a retry cannot help. */
export class OutboundRefused extends Error {}

/** There was no answer in time. */
export class OutboundTimeout extends Error {}

/** The look-up, the connection or the exchange failed. */
export class OutboundFailed extends Error {}

/** The connection ended before the answer came: the request may have been read. */
export class OutboundLost extends OutboundFailed {}

/** The reason of an error in a few words. A connection that was tried at several addresses has one reason for each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
